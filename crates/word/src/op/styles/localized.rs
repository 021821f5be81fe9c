//! What Word calls its built-in styles in other languages.
//!
//! A file always has the English names; people know those of their own Word, and ask for them. Only names that are
//! certain are here.

use super::folded;

/// Languages in the order of the columns of a row; `-` is a name that we do not know.
const LANGUAGES: [&str; 17] = [
    "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "sv", "da", "nb", "cs", "hu", "tr", "zh", "zh-Hant", "ja",
];

/// Headings have a number behind the word.
const HEADING: [&str; 17] = [
    "Überschrift",
    "Titre",
    "Título",
    "Titolo",
    "Título",
    "Kop",
    "Nagłówek",
    "Заголовок",
    "Rubrik",
    "Overskrift",
    "Overskrift",
    "Nadpis",
    "Címsor",
    "Başlık",
    "标题",
    "標題",
    "見出し",
];

#[rustfmt::skip]
const NAMES: &[(&str, [&str; 17])] = &[
    ("Normal", ["Standard", "Normal", "Normal", "Normale", "Normal", "Standaard", "Normalny", "Обычный", "Normal", "Normal", "Normal", "Normální", "Normál", "Normal", "正文", "內文", "標準"]),
    ("Title", ["Titel", "Titre", "Título", "Titolo", "Título", "Titel", "Tytuł", "Название", "Rubrik", "Titel", "Tittel", "Název", "Cím", "Konu Başlığı", "标题", "標題", "表題"]),
    ("Subtitle", ["Untertitel", "Sous-titre", "Subtítulo", "Sottotitolo", "Subtítulo", "Ondertitel", "Podtytuł", "Подзаголовок", "Underrubrik", "Undertitel", "Undertittel", "-", "Alcím", "-", "副标题", "副標題", "副題"]),
    ("Quote", ["Zitat", "Citation", "Cita", "Citazione", "Citação", "Citaat", "Cytat", "-", "Citat", "Citat", "Sitat", "-", "Idézet", "Alıntı", "引用", "引文", "引用文"]),
    ("Intense Quote", ["Intensives Zitat", "Citation intense", "Cita destacada", "Citazione intensa", "Citação Intensa", "Duidelijk citaat", "Cytat intensywny", "Выделенная цитата", "Starkt citat", "Stærkt citat", "Sterkt sitat", "-", "Kiemelt idézet", "-", "明显引用", "鮮明引文", "引用文 2"]),
    ("List Paragraph", ["Listenabsatz", "Paragraphe de liste", "Párrafo de lista", "Paragrafo elenco", "Parágrafo da Lista", "Lijstalinea", "Akapit z listą", "Абзац списка", "Liststycke", "Listeafsnit", "Listeavsnitt", "Odstavec se seznamem", "Listaszerű bekezdés", "Liste Paragraf", "列表段落", "清單段落", "リスト段落"]),
    ("No Spacing", ["Kein Leerraum", "Sans interligne", "Sin espaciado", "Nessuna spaziatura", "Sem Espaçamento", "Geen afstand", "Bez odstępów", "Без интервала", "Inget avstånd", "Ingen afstand", "Ingen mellomrom", "Bez mezer", "Nincs térköz", "Aralık Yok", "无间隔", "無間距", "行間詰め"]),
    ("caption", ["Beschriftung", "Légende", "Descripción", "Didascalia", "Legenda", "Bijschrift", "Legenda", "Название объекта", "Beskrivning", "Billedtekst", "Bildetekst", "Titulek", "Képaláírás", "Resim Yazısı", "题注", "標號", "図表番号"]),
    ("Body Text", ["Textkörper", "Corps de texte", "Texto independiente", "Corpo testo", "Corpo de texto", "Plattetekst", "Tekst podstawowy", "Основной текст", "Brödtext", "Brødtekst", "Brødtekst", "Základní text", "Szövegtörzs", "Gövde Metni", "正文文本", "本文", "本文"]),
    ("header", ["Kopfzeile", "En-tête", "Encabezado", "Intestazione", "Cabeçalho", "Koptekst", "Nagłówek", "Верхний колонтитул", "Sidhuvud", "Sidehoved", "Topptekst", "Záhlaví", "Élőfej", "Üst Bilgi", "页眉", "頁首", "ヘッダー"]),
    ("footer", ["Fußzeile", "Pied de page", "Pie de página", "Piè di pagina", "Rodapé", "Voettekst", "Stopka", "Нижний колонтитул", "Sidfot", "Sidefod", "Bunntekst", "Zápatí", "Élőláb", "Alt Bilgi", "页脚", "頁尾", "フッター"]),
    ("footnote text", ["Fußnotentext", "Note de bas de page", "Texto nota pie", "Testo nota a piè di pagina", "Texto de nota de rodapé", "Voetnoottekst", "Tekst przypisu dolnego", "Текст сноски", "Fotnotstext", "Fodnotetekst", "Fotnotetekst", "Text pozn. pod čarou", "Lábjegyzetszöveg", "Dipnot Metni", "脚注文本", "註腳文字", "脚注文字列"]),
    ("Strong", ["Fett", "Élevé", "Texto en negrita", "Enfasi (grassetto)", "Forte", "Zwaar", "Pogrubienie", "Строгий", "Stark", "Stærk", "Sterk", "-", "-", "Güçlü", "要点", "-", "強調太字"]),
    ("Emphasis", ["Hervorhebung", "Accentuation", "Énfasis", "Enfasi (corsivo)", "Ênfase", "Nadruk", "Uwydatnienie", "Выделение", "Betoning", "Fremhæv", "Utheving", "-", "Kiemelés", "Vurgu", "强调", "-", "強調斜体"]),
    ("Subtle Emphasis", ["Schwache Hervorhebung", "-", "Énfasis sutil", "Enfasi delicata", "Ênfase Sutil", "Subtiele benadrukking", "Wyróżnienie delikatne", "Слабое выделение", "Diskret betoning", "Svag fremhævning", "Svak utheving", "-", "-", "-", "不明显强调", "-", "斜体"]),
    ("Intense Emphasis", ["Intensive Hervorhebung", "-", "Énfasis intenso", "Enfasi intensa", "Ênfase Intensa", "Intensieve benadrukking", "Wyróżnienie intensywne", "Сильное выделение", "Stark betoning", "Kraftig fremhævning", "Sterk utheving", "-", "-", "-", "明显强调", "-", "強調斜体 2"]),
    ("Subtle Reference", ["Schwacher Verweis", "-", "Referencia sutil", "Riferimento delicato", "Referência Sutil", "Subtiele verwijzing", "Odwołanie delikatne", "Слабая ссылка", "Diskret referens", "Svag henvisning", "Svak referanse", "-", "-", "-", "不明显参考", "-", "参照"]),
    ("Intense Reference", ["Intensiver Verweis", "Référence intense", "Referencia intensa", "Riferimento intenso", "Referência Intensa", "Intensieve verwijzing", "Odwołanie intensywne", "Сильная ссылка", "Stark referens", "Kraftig henvisning", "Sterk referanse", "-", "-", "-", "明显参考", "-", "参照 2"]),
    ("Book Title", ["Buchtitel", "Titre du livre", "Título del libro", "Titolo del libro", "Título do Livro", "Titel van boek", "Tytuł książki", "Название книги", "Bokens titel", "Bogens titel", "Boktittel", "-", "-", "-", "书籍标题", "-", "書名"]),
    ("Hyperlink", ["Hyperlink", "Lien hypertexte", "Hipervínculo", "Collegamento ipertestuale", "Hyperlink", "Hyperlink", "Hiperłącze", "Гиперссылка", "Hyperlänk", "Hyperlink", "Hyperkobling", "Hypertextový odkaz", "Hiperhivatkozás", "Köprü", "超链接", "超連結", "ハイパーリンク"]),
    ("Table Grid", ["Tabellenraster", "Grille du tableau", "Tabla con cuadrícula", "Griglia tabella", "Tabela com grade", "Tabelraster", "Tabela - Siatka", "Сетка таблицы", "Tabellrutnät", "Tabel - Gitter", "Tabellrutenett", "Mřížka tabulky", "Rácsos táblázat", "Tablo Kılavuzu", "网格型", "表格格線", "表 (格子)"]),
    ("Normal Table", ["Normale Tabelle", "Tableau Normal", "Tabla normal", "Tabella normale", "Tabela normal", "Standaardtabel", "Standardowy", "Обычная таблица", "Normal tabell", "Tabel - Normal", "Vanlig tabell", "Normální tabulka", "Normál táblázat", "Normal Tablo", "普通表格", "表格內文", "標準の表"]),
];

/// Further names that some version of Word has for the same style.
const OTHERS: &[(&str, &str)] = &[
    ("Заголовок", "Title"),
    ("Цитата 2", "Quote"),
    ("列出段落", "List Paragraph"),
    ("Puesto", "Title"),
    ("Epígrafe", "caption"),
    ("Corpo del testo", "Body Text"),
    ("Tabela com Grelha", "Table Grid"),
    ("Hiperligação", "Hyperlink"),
    ("제목", "Title"),
    ("부제", "Subtitle"),
    ("표준", "Normal"),
    ("본문", "Body Text"),
];

/// Words that stand before a number in a heading's name, beside those of [`HEADING`].
const OTHER_HEADINGS: [&str; 4] = ["제목", "Otsikko", "Επικεφαλίδα", "Cabeçalho"];

/// The English name, as a file spells it, of the style that has this name in some language.
pub(super) fn english(name: &str) -> Option<String> {
    let name = Some(folded(name)).filter(|name| !name.is_empty())?;
    let known = NAMES.iter().find(|(_, names)| names.iter().any(|known| folded(known) == name));
    let known = known.map(|(english, _)| *english);
    let other = || OTHERS.iter().find(|(known, _)| folded(known) == name).map(|(_, english)| *english);
    if let Some(known) = known.or_else(other) {
        return Some(known.to_owned());
    }
    let level = name.chars().next_back().filter(|level| ('1'..='9').contains(level))?;
    let word = name.strip_suffix(level)?;
    let heading = HEADING.iter().chain(&OTHER_HEADINGS).any(|known| folded(known) == word);
    heading.then(|| format!("heading {level}"))
}

/// What a style with this English name is called in a language such as `de` or `de-AT`.
pub(super) fn localized(english: &str, language: &str) -> Option<String> {
    let lower = language.to_lowercase();
    let primary = match lower.as_str() {
        "zh-tw" | "zh-hk" | "zh-mo" | "zh-hant" => "zh-Hant",
        "no" | "nn-no" => "nb",
        other => other.split(['-', '_']).next().unwrap_or(other),
    };
    let column = LANGUAGES.iter().position(|known| *known == primary)?;
    if let Some(level) = english.strip_prefix("heading ") {
        return HEADING.get(column).map(|word| format!("{word} {level}"));
    }
    let (_, names) = NAMES.iter().find(|(known, _)| *known == english)?;
    names.get(column).filter(|name| **name != "-").map(|name| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_languages_lead_to_the_english_ones() {
        for (name, wanted) in [
            ("Überschrift 1", "heading 1"),
            ("überschrift 2", "heading 2"),
            ("Titre 1", "heading 1"),
            ("Título 1", "heading 1"),
            ("Titolo 9", "heading 9"),
            ("Kop 3", "heading 3"),
            ("Nagłówek 1", "heading 1"),
            ("Nagłówek", "header"),
            ("Заголовок 2", "heading 2"),
            ("標題 1", "heading 1"),
            ("見出し 1", "heading 1"),
            ("제목 1", "heading 1"),
            ("Standard", "Normal"),
            ("Titre", "Title"),
            ("Sous-titre", "Subtitle"),
            ("Tabellenraster", "Table Grid"),
            ("Tabela - Siatka", "Table Grid"),
        ] {
            assert_eq!(english(name).as_deref(), Some(wanted), "{name}");
        }
        assert_eq!(english("Überschrift 10"), None);
        assert_eq!(english("Überschrift"), None);
        assert_eq!(english("-"), None);
    }

    #[test]
    fn no_name_means_two_styles() {
        let mut known: Vec<(String, &str)> = Vec::new();
        let all = NAMES.iter().flat_map(|(english, names)| names.iter().map(move |name| (*name, *english)));
        for (name, english) in all.chain(OTHERS.iter().copied()).filter(|(name, _)| *name != "-") {
            let clash = known.iter().find(|(known, of)| *known == folded(name) && *of != english);
            assert_eq!(clash, None, "{name} is {english}");
            known.push((folded(name), english));
        }
    }

    #[test]
    fn every_name_comes_back() {
        for (english_name, _) in NAMES {
            for language in LANGUAGES {
                if let Some(name) = localized(english_name, language) {
                    assert_eq!(english(&name).as_deref(), Some(*english_name), "{name}");
                }
            }
        }
        assert_eq!(localized("heading 1", "de-AT").as_deref(), Some("Überschrift 1"));
        assert_eq!(localized("Title", "zh-TW").as_deref(), Some("標題"));
        assert_eq!(localized("Title", "en-GB"), None);
    }
}
