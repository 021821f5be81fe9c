//! Which addresses may be connected to: the guard against being sent to this machine or its network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Wherever the operator of the server says: model providers, and other MCP servers where private ones are allowed.
    Anywhere,
    /// Public addresses, over TLS.
    Public,
}

impl Reach {
    pub(crate) fn allows(self, address: IpAddr, secure: bool) -> Result<(), String> {
        match self {
            Reach::Anywhere => Ok(()),
            Reach::Public if !is_public(address) => {
                Err("its address is private, local or reserved".to_owned())
            }
            Reach::Public if !secure => Err("the address must begin with https://".to_owned()),
            Reach::Public => Ok(()),
        }
    }
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match embedded(address) {
            Some(inner) => is_public_v4(inner),
            None => is_public_v6(address),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let reserved = match (a, b, c) {
        // This network, private, shared (carriers), loopback, link-local with the metadata services.
        (0 | 10 | 127, ..) | (100, 64..=127, _) | (169, 254, _) | (172, 16..=31, _) | (192, 168, _) => true,
        // Protocol assignments, documentation, the relay of 6to4, benchmarks.
        (192, 0, 0 | 2) | (192, 88, 99) | (198, 18 | 19, _) | (198, 51, 100) | (203, 0, 113) => true,
        // The metadata services of clouds that lie in public ranges.
        (168, 63, 129) => true,
        // Multicast, reserved, broadcast.
        (224.., ..) => true,
        _ => false,
    };
    !reserved
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    // Only 2000::/3 is given out; of it, documentation, Teredo and what else is special is not.
    let given_out = segments[0] & 0xe000 == 0x2000;
    let special = match segments[0] {
        0x2001 => segments[1] < 0x0200 || segments[1] == 0x0db8,
        0x3fff => segments[1] < 0x1000,
        _ => false,
    };
    given_out && !special
}

/// The IPv4 address that an IPv6 address stands for: mapped, compatible, translated, 6to4.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let s = address.segments();
    let inner = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Ipv4Addr::new(a, b, c, d)
    };
    match s {
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] => Some(inner(high, low)),
        [0, 0, 0, 0, 0xffff, 0, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(inner(high, low)),
        [0x2002, high, low, ..] => Some(inner(high, low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_machine_and_its_network_are_refused() {
        for text in [
            "127.0.0.1",
            "127.9.9.9",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "168.63.129.16",
            "192.0.0.192",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "fe80::1",
            "fc00::1",
            "fd00:ec2::254",
            "ff02::1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "2001:db8::1",
            "2001::1",
            "::ffff:0:127.0.0.1",
            "100::1",
            "3fff::1",
        ] {
            let address = text.parse().expect("an address");
            assert!(Reach::Public.allows(address, true).is_err(), "{text}");
            assert!(Reach::Anywhere.allows(address, false).is_ok(), "{text}");
        }
    }

    #[test]
    fn public_addresses_pass_over_tls_only() {
        for text in
            ["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "2002:808:808::"]
        {
            let address = text.parse().expect("an address");
            assert!(Reach::Public.allows(address, true).is_ok(), "{text}");
            assert!(Reach::Public.allows(address, false).is_err(), "{text}");
        }
    }
}
