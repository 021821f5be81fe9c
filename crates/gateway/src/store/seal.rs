//! What is kept is sealed: AES-256-GCM, with the place where a text belongs as part of its seal.
//!
//! The key is given by whoever starts the server, or made once and kept beside the database in a file of its own. In the
//! second case a copy of the database alone says nothing; whoever has the folder has both.

use std::path::Path;

use ring::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    digest, hmac,
};

use super::StoreError;

/// The file with the key, in the state folder.
const FILE: &str = "gateway.key";

#[derive(Debug, Clone)]
pub(crate) struct Seal(std::sync::Arc<Keys>);

#[derive(Debug)]
struct Keys {
    texts: LessSafeKey,
    names: LessSafeKey,
    /// Gives each name its own nonce, which is the same each time.
    nonces: hmac::Key,
}

/// The secret that a key is made from.
#[derive(Clone)]
pub struct StoreKey(Vec<u8>);

impl std::fmt::Debug for StoreKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StoreKey(…)")
    }
}

impl StoreKey {
    /// Shorter ones can be guessed.
    const SHORTEST: usize = 32;

    /// `None` for a secret that is too short to be one.
    pub fn new(secret: &str) -> Option<Self> {
        let secret = secret.trim();
        (secret.len() >= Self::SHORTEST).then(|| Self(secret.as_bytes().to_vec()))
    }
}

impl Seal {
    /// Seals with this key; without one, with that of the folder, which is made if it is not there.
    pub(super) fn open(key: Option<&StoreKey>, folder: Option<&Path>) -> Result<Self, StoreError> {
        match (key, folder) {
            (Some(StoreKey(secret)), _) => Self::with(secret),
            (None, Some(folder)) => Self::with(own_key(folder)?.as_bytes()),
            (None, None) => Self::with(super::secret("")?.as_bytes()),
        }
    }

    /// Without making a key where there is none.
    pub(super) fn present(key: Option<&StoreKey>, folder: &Path) -> Result<Option<Self>, StoreError> {
        match key {
            None if !folder.join(FILE).exists() => Ok(None),
            key => Self::open(key, Some(folder)).map(Some),
        }
    }

    fn with(secret: &[u8]) -> Result<Self, StoreError> {
        // The secret is long and random, whatever its alphabet; one round makes 256 bits of it.
        let texts = aead_key(digest::digest(&digest::SHA256, secret).as_ref())?;
        let root = hmac::Key::new(hmac::HMAC_SHA256, secret);
        let names = aead_key(hmac::sign(&root, b"names").as_ref())?;
        let nonces = hmac::Key::new(hmac::HMAC_SHA256, hmac::sign(&root, b"nonces of names").as_ref());
        Ok(Self(std::sync::Arc::new(Keys { texts, names, nonces })))
    }

    /// A name that opens something, such as the id of a session, as it is kept: the same each time, so that it can be
    /// looked up, and good for nothing without the key.
    pub(crate) fn name(&self, name: &str) -> Result<String, StoreError> {
        let mut nonce = [0; NONCE_LEN];
        let mac = hmac::sign(&self.0.nonces, name.as_bytes());
        nonce.iter_mut().zip(mac.as_ref()).for_each(|(byte, of)| *byte = *of);
        let mut sealed = name.as_bytes().to_vec();
        let unique = Nonce::assume_unique_for_key(nonce);
        let done = self.0.names.seal_in_place_append_tag(unique, Aad::empty(), &mut sealed);
        done.map_err(|_| StoreError::Sealed)?;
        Ok(nonce.iter().chain(&sealed).map(|byte| format!("{byte:02x}")).collect())
    }

    /// The name that is kept so.
    pub(crate) fn named(&self, kept: &str) -> Result<String, StoreError> {
        let byte = |at: usize| u8::from_str_radix(kept.get(at..at + 2)?, 16).ok();
        let bytes: Option<Vec<u8>> = (0..kept.len()).step_by(2).map(byte).collect();
        let bytes = bytes.ok_or(StoreError::Sealed)?;
        open(&self.0.names, &[], &bytes)
    }

    pub(crate) fn seal(&self, place: &str, plain: &str) -> Result<Vec<u8>, StoreError> {
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(|error| StoreError::Random(error.to_string()))?;
        let mut sealed = plain.as_bytes().to_vec();
        let unique = Nonce::assume_unique_for_key(nonce);
        let done = self.0.texts.seal_in_place_append_tag(unique, Aad::from(place.as_bytes()), &mut sealed);
        done.map_err(|_| StoreError::Sealed)?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    pub(crate) fn unseal(&self, place: &str, sealed: &[u8]) -> Result<String, StoreError> {
        open(&self.0.texts, place.as_bytes(), sealed)
    }
}

fn aead_key(bytes: &[u8]) -> Result<LessSafeKey, StoreError> {
    Ok(LessSafeKey::new(UnboundKey::new(&AES_256_GCM, bytes).map_err(|_| StoreError::Sealed)?))
}

fn open(key: &LessSafeKey, place: &[u8], sealed: &[u8]) -> Result<String, StoreError> {
    let (nonce, text) = sealed.split_first_chunk::<NONCE_LEN>().ok_or(StoreError::Sealed)?;
    let mut text = text.to_vec();
    let nonce = Nonce::assume_unique_for_key(*nonce);
    let plain = key.open_in_place(nonce, Aad::from(place), &mut text);
    let plain = plain.map_err(|_| StoreError::Sealed)?;
    String::from_utf8(plain.to_vec()).map_err(|_| StoreError::Sealed)
}

#[expect(clippy::disallowed_methods, reason = "the key is no document")]
fn own_key(folder: &Path) -> Result<String, StoreError> {
    let path = folder.join(FILE);
    match std::fs::read_to_string(&path) {
        Ok(key) if key.trim().len() >= StoreKey::SHORTEST => Ok(key.trim().to_owned()),
        Ok(_) => Err(StoreError::BadKeyFile(path)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let key = super::secret("")?;
            write_private(&path, &key)?;
            Ok(key)
        }
        Err(error) => Err(error.into()),
    }
}

/// Whole or not at all: half a key would lock up all that is sealed with it later.
fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    let partial = path.with_extension("key.new");
    let mut options = std::fs::OpenOptions::new();
    options.create(true).write(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let mut file = options.open(&partial)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(partial, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_opens_with_its_key_at_its_place_only() {
        let seal = Seal::with(b"a secret of some length, and another").expect("a key");
        let sealed = seal.seal("events ses_1", "Gehälter 2025").expect("sealed");
        assert!(!String::from_utf8_lossy(&sealed).contains("2025"));
        assert_eq!(seal.unseal("events ses_1", &sealed).expect("its own"), "Gehälter 2025");
        assert!(seal.unseal("events ses_2", &sealed).is_err());
        let other = Seal::with(b"another secret of some length").expect("a key");
        assert!(other.unseal("events ses_1", &sealed).is_err());
        let mut bent = sealed.clone();
        bent[20] ^= 1;
        let (name, again) = (seal.name("ses_1").expect("a name"), seal.name("ses_1").expect("a name"));
        assert!(name == again && !name.contains("ses_1") && seal.name("ses_2").expect("a name") != name);
        assert_eq!(seal.named(&name).expect("its own"), "ses_1");
        assert!(other.named(&name).is_err() && seal.named("ses_1").is_err() && seal.named("é").is_err());
        assert!(seal.unseal("events ses_1", &bent).is_err() && seal.unseal("events ses_1", &[1, 2]).is_err());
    }
}
