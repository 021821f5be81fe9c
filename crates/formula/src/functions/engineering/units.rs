//! Units of measure for `CONVERT`.

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Mass,
    Length,
    Time,
    Pressure,
    Force,
    Energy,
    Power,
    Magnetism,
    Temperature,
    Volume,
    Area,
    Information,
    Speed,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Prefix {
    None,
    Metric,
    /// Metric and binary.
    Binary,
}

/// Name, kind, worth in the kind's first unit, and which prefixes go with it.
const UNITS: &[(&str, Kind, f64, Prefix)] = &[
    ("g", Kind::Mass, 1.0, Prefix::Metric),
    ("sg", Kind::Mass, 14_593.902_937_206_4, Prefix::None),
    ("lbm", Kind::Mass, 453.592_37, Prefix::None),
    ("u", Kind::Mass, 1.660_538_782e-24, Prefix::Metric),
    ("ozm", Kind::Mass, 28.349_523_125, Prefix::None),
    ("grain", Kind::Mass, 0.064_798_91, Prefix::None),
    ("cwt", Kind::Mass, 45_359.237, Prefix::None),
    ("shweight", Kind::Mass, 45_359.237, Prefix::None),
    ("uk_cwt", Kind::Mass, 50_802.345_44, Prefix::None),
    ("lcwt", Kind::Mass, 50_802.345_44, Prefix::None),
    ("hweight", Kind::Mass, 50_802.345_44, Prefix::None),
    ("stone", Kind::Mass, 6_350.293_18, Prefix::None),
    ("ton", Kind::Mass, 907_184.74, Prefix::None),
    ("uk_ton", Kind::Mass, 1_016_046.908_8, Prefix::None),
    ("LTON", Kind::Mass, 1_016_046.908_8, Prefix::None),
    ("brton", Kind::Mass, 1_016_046.908_8, Prefix::None),
    ("m", Kind::Length, 1.0, Prefix::Metric),
    ("mi", Kind::Length, 1_609.344, Prefix::None),
    ("Nmi", Kind::Length, 1_852.0, Prefix::None),
    ("in", Kind::Length, 0.0254, Prefix::None),
    ("ft", Kind::Length, 0.3048, Prefix::None),
    ("yd", Kind::Length, 0.9144, Prefix::None),
    ("ang", Kind::Length, 1e-10, Prefix::Metric),
    ("ell", Kind::Length, 1.143, Prefix::None),
    ("ly", Kind::Length, 9_460_730_472_580_800.0, Prefix::Metric),
    ("parsec", Kind::Length, 30_856_775_812_815_532.0, Prefix::Metric),
    ("pc", Kind::Length, 30_856_775_812_815_532.0, Prefix::Metric),
    ("Picapt", Kind::Length, 0.0254 / 72.0, Prefix::None),
    ("Pica", Kind::Length, 0.0254 / 72.0, Prefix::None),
    ("pica", Kind::Length, 0.0254 / 6.0, Prefix::None),
    ("survey_mi", Kind::Length, 1_609.347_218_694_437_4, Prefix::None),
    ("yr", Kind::Time, 31_557_600.0, Prefix::None),
    ("day", Kind::Time, 86_400.0, Prefix::None),
    ("d", Kind::Time, 86_400.0, Prefix::None),
    ("hr", Kind::Time, 3_600.0, Prefix::None),
    ("mn", Kind::Time, 60.0, Prefix::None),
    ("min", Kind::Time, 60.0, Prefix::None),
    ("sec", Kind::Time, 1.0, Prefix::Metric),
    ("s", Kind::Time, 1.0, Prefix::Metric),
    ("Pa", Kind::Pressure, 1.0, Prefix::Metric),
    ("p", Kind::Pressure, 1.0, Prefix::Metric),
    ("atm", Kind::Pressure, 101_325.0, Prefix::Metric),
    ("at", Kind::Pressure, 101_325.0, Prefix::Metric),
    ("mmHg", Kind::Pressure, 133.322, Prefix::Metric),
    ("psi", Kind::Pressure, 6_894.757_293_168_361, Prefix::None),
    ("Torr", Kind::Pressure, 101_325.0 / 760.0, Prefix::None),
    ("N", Kind::Force, 1.0, Prefix::Metric),
    ("dyn", Kind::Force, 1e-5, Prefix::Metric),
    ("dy", Kind::Force, 1e-5, Prefix::Metric),
    ("lbf", Kind::Force, 4.448_221_615_260_5, Prefix::None),
    ("pond", Kind::Force, 9.806_65e-3, Prefix::Metric),
    ("J", Kind::Energy, 1.0, Prefix::Metric),
    ("e", Kind::Energy, 1e-7, Prefix::Metric),
    ("c", Kind::Energy, 4.184, Prefix::Metric),
    ("cal", Kind::Energy, 4.1868, Prefix::Metric),
    ("eV", Kind::Energy, 1.602_176_487e-19, Prefix::Metric),
    ("ev", Kind::Energy, 1.602_176_487e-19, Prefix::Metric),
    ("HPh", Kind::Energy, 2_684_519.537_696_173, Prefix::None),
    ("hh", Kind::Energy, 2_684_519.537_696_173, Prefix::None),
    ("Wh", Kind::Energy, 3_600.0, Prefix::Metric),
    ("wh", Kind::Energy, 3_600.0, Prefix::Metric),
    ("flb", Kind::Energy, 1.355_817_948_331_400_4, Prefix::None),
    ("BTU", Kind::Energy, 1_055.055_852_62, Prefix::None),
    ("btu", Kind::Energy, 1_055.055_852_62, Prefix::None),
    ("W", Kind::Power, 1.0, Prefix::Metric),
    ("w", Kind::Power, 1.0, Prefix::Metric),
    ("HP", Kind::Power, 745.699_871_582_270_2, Prefix::None),
    ("h", Kind::Power, 745.699_871_582_270_2, Prefix::None),
    ("PS", Kind::Power, 735.498_75, Prefix::None),
    ("T", Kind::Magnetism, 1.0, Prefix::Metric),
    ("ga", Kind::Magnetism, 1e-4, Prefix::Metric),
    ("C", Kind::Temperature, 1.0, Prefix::None),
    ("cel", Kind::Temperature, 1.0, Prefix::None),
    ("F", Kind::Temperature, 1.0, Prefix::None),
    ("fah", Kind::Temperature, 1.0, Prefix::None),
    ("K", Kind::Temperature, 1.0, Prefix::Metric),
    ("kel", Kind::Temperature, 1.0, Prefix::Metric),
    ("Rank", Kind::Temperature, 1.0, Prefix::None),
    ("Reau", Kind::Temperature, 1.0, Prefix::None),
    ("l", Kind::Volume, 1.0, Prefix::Metric),
    ("L", Kind::Volume, 1.0, Prefix::Metric),
    ("lt", Kind::Volume, 1.0, Prefix::Metric),
    ("tsp", Kind::Volume, 0.004_928_921_593_75, Prefix::None),
    ("tspm", Kind::Volume, 0.005, Prefix::None),
    ("tbs", Kind::Volume, 0.014_786_764_781_25, Prefix::None),
    ("oz", Kind::Volume, 0.029_573_529_562_5, Prefix::None),
    ("cup", Kind::Volume, 0.236_588_236_5, Prefix::None),
    ("pt", Kind::Volume, 0.473_176_473, Prefix::None),
    ("us_pt", Kind::Volume, 0.473_176_473, Prefix::None),
    ("uk_pt", Kind::Volume, 0.568_261_25, Prefix::None),
    ("qt", Kind::Volume, 0.946_352_946, Prefix::None),
    ("uk_qt", Kind::Volume, 1.136_522_5, Prefix::None),
    ("gal", Kind::Volume, 3.785_411_784, Prefix::None),
    ("uk_gal", Kind::Volume, 4.546_09, Prefix::None),
    ("ang3", Kind::Volume, 1e-27, Prefix::Metric),
    ("ang^3", Kind::Volume, 1e-27, Prefix::Metric),
    ("barrel", Kind::Volume, 158.987_294_928, Prefix::None),
    ("bushel", Kind::Volume, 35.239_070_166_88, Prefix::None),
    ("ft3", Kind::Volume, 28.316_846_592, Prefix::None),
    ("ft^3", Kind::Volume, 28.316_846_592, Prefix::None),
    ("in3", Kind::Volume, 0.016_387_064, Prefix::None),
    ("in^3", Kind::Volume, 0.016_387_064, Prefix::None),
    ("ly3", Kind::Volume, 8.467_866_646_237_15e50, Prefix::None),
    ("ly^3", Kind::Volume, 8.467_866_646_237_15e50, Prefix::None),
    ("Pica3", Kind::Volume, 4.390_395_661_865_569e-8, Prefix::None),
    ("Pica^3", Kind::Volume, 4.390_395_661_865_569e-8, Prefix::None),
    ("Picapt3", Kind::Volume, 4.390_395_661_865_569e-8, Prefix::None),
    ("Picapt^3", Kind::Volume, 4.390_395_661_865_569e-8, Prefix::None),
    ("m3", Kind::Volume, 1_000.0, Prefix::Metric),
    ("m^3", Kind::Volume, 1_000.0, Prefix::Metric),
    ("mi3", Kind::Volume, 4_168_181_825_440.58, Prefix::None),
    ("mi^3", Kind::Volume, 4_168_181_825_440.58, Prefix::None),
    ("yd3", Kind::Volume, 764.554_857_984, Prefix::None),
    ("yd^3", Kind::Volume, 764.554_857_984, Prefix::None),
    ("Nmi3", Kind::Volume, 6_352_182_208_000.0, Prefix::None),
    ("Nmi^3", Kind::Volume, 6_352_182_208_000.0, Prefix::None),
    ("GRT", Kind::Volume, 2_831.684_659_2, Prefix::None),
    ("regton", Kind::Volume, 2_831.684_659_2, Prefix::None),
    ("MTON", Kind::Volume, 1_132.673_863_68, Prefix::None),
    ("uk_acre", Kind::Area, 4_046.856_422_4, Prefix::None),
    ("us_acre", Kind::Area, 4_046.872_609_874_252, Prefix::None),
    ("ly2", Kind::Area, 8.950_542_107_481_893e31, Prefix::None),
    ("ly^2", Kind::Area, 8.950_542_107_481_893e31, Prefix::None),
    ("Pica2", Kind::Area, 1.244_521_604_938_271_6e-7, Prefix::None),
    ("Pica^2", Kind::Area, 1.244_521_604_938_271_6e-7, Prefix::None),
    ("Picapt2", Kind::Area, 1.244_521_604_938_271_6e-7, Prefix::None),
    ("Picapt^2", Kind::Area, 1.244_521_604_938_271_6e-7, Prefix::None),
    ("ang2", Kind::Area, 1e-20, Prefix::Metric),
    ("ang^2", Kind::Area, 1e-20, Prefix::Metric),
    ("ar", Kind::Area, 100.0, Prefix::Metric),
    ("ft2", Kind::Area, 0.092_903_04, Prefix::None),
    ("ft^2", Kind::Area, 0.092_903_04, Prefix::None),
    ("ha", Kind::Area, 10_000.0, Prefix::None),
    ("in2", Kind::Area, 6.4516e-4, Prefix::None),
    ("in^2", Kind::Area, 6.4516e-4, Prefix::None),
    ("m2", Kind::Area, 1.0, Prefix::Metric),
    ("m^2", Kind::Area, 1.0, Prefix::Metric),
    ("Morgen", Kind::Area, 2_500.0, Prefix::None),
    ("mi2", Kind::Area, 2_589_988.110_336, Prefix::None),
    ("mi^2", Kind::Area, 2_589_988.110_336, Prefix::None),
    ("Nmi2", Kind::Area, 3_429_904.0, Prefix::None),
    ("Nmi^2", Kind::Area, 3_429_904.0, Prefix::None),
    ("yd2", Kind::Area, 0.836_127_36, Prefix::None),
    ("yd^2", Kind::Area, 0.836_127_36, Prefix::None),
    ("bit", Kind::Information, 1.0, Prefix::Binary),
    ("byte", Kind::Information, 8.0, Prefix::Binary),
    ("m/s", Kind::Speed, 1.0, Prefix::Metric),
    ("m/sec", Kind::Speed, 1.0, Prefix::Metric),
    ("m/h", Kind::Speed, 1.0 / 3_600.0, Prefix::Metric),
    ("m/hr", Kind::Speed, 1.0 / 3_600.0, Prefix::Metric),
    ("mph", Kind::Speed, 0.447_04, Prefix::None),
    ("kn", Kind::Speed, 1_852.0 / 3_600.0, Prefix::None),
    ("admkn", Kind::Speed, 1_853.184 / 3_600.0, Prefix::None),
];

const METRIC: &[(&str, i32)] = &[
    ("Y", 24),
    ("Z", 21),
    ("E", 18),
    ("P", 15),
    ("T", 12),
    ("G", 9),
    ("M", 6),
    ("k", 3),
    ("h", 2),
    ("da", 1),
    ("e", 1),
    ("d", -1),
    ("c", -2),
    ("m", -3),
    ("u", -6),
    ("n", -9),
    ("p", -12),
    ("f", -15),
    ("a", -18),
    ("z", -21),
    ("y", -24),
];

const BINARY: &[(&str, i32)] =
    &[("Yi", 80), ("Zi", 70), ("Ei", 60), ("Pi", 50), ("Ti", 40), ("Gi", 30), ("Mi", 20), ("ki", 10)];

struct Unit {
    name: &'static str,
    kind: Kind,
    worth: f64,
}

fn find(name: &str) -> Option<Unit> {
    let plain = |wanted: &str| UNITS.iter().find(|(known, ..)| *known == wanted);
    if let Some((name, kind, worth, _)) = plain(name) {
        return Some(Unit { name, kind: *kind, worth: *worth });
    }
    for (prefix, power) in BINARY {
        if let Some((name, kind, worth, Prefix::Binary)) = name.strip_prefix(prefix).and_then(plain) {
            return Some(Unit { name, kind: *kind, worth: worth * 2f64.powi(*power) });
        }
    }
    for (prefix, power) in METRIC {
        if let Some((name, kind, worth, allowed)) = name.strip_prefix(prefix).and_then(plain)
            && *allowed != Prefix::None
        {
            // A prefix on a square or cube is raised with it.
            let dimension = match kind {
                Kind::Area if name.ends_with('2') => 2,
                Kind::Volume if name.ends_with('3') => 3,
                _ => 1,
            };
            return Some(Unit { name, kind: *kind, worth: worth * 10f64.powi(power * dimension) });
        }
    }
    None
}

pub(super) fn convert(number: f64, from: &str, to: &str) -> Option<f64> {
    let (from, to) = (find(from)?, find(to)?);
    if from.kind != to.kind {
        return None;
    }
    if from.kind == Kind::Temperature {
        let number = number * from.worth;
        let kelvin = match from.name {
            "C" | "cel" => number + 273.15,
            "F" | "fah" => (number - 32.0) / 1.8 + 273.15,
            "Rank" => number / 1.8,
            "Reau" => number * 1.25 + 273.15,
            _ => number,
        };
        if from.name == to.name {
            return Some(number / to.worth);
        }
        return Some(
            match to.name {
                "C" | "cel" => match from.name {
                    "F" | "fah" => (number - 32.0) / 1.8,
                    _ => kelvin - 273.15,
                },
                "F" | "fah" => match from.name {
                    "C" | "cel" => number * 1.8 + 32.0,
                    _ => (kelvin - 273.15) * 1.8 + 32.0,
                },
                "Rank" => kelvin * 1.8,
                "Reau" => (kelvin - 273.15) * 0.8,
                _ => kelvin,
            } / to.worth,
        );
    }
    Some(number * from.worth / to.worth)
}
