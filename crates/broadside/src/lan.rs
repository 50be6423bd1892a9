//! The local network: this machine's address in it, and a QR code of an address for phones.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, UdpSocket};

use anstyle::{AnsiColor, Style};
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;

/// An address that belongs to nobody (RFC 5737): what is sent there would leave through the local network.
const SOMEWHERE: (Ipv4Addr, u16) = (Ipv4Addr::new(192, 0, 2, 1), 9);

/// This machine can't be reached from a local network.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LanError {
    #[error(
        "no local network was found: connect this machine to one, or give its address yourself, such as --addr 192.168.1.5:1805"
    )]
    None,
    #[error("{0} is not an address of a local network, so strangers may reach it: if they should, give it with --addr {0}:1805")]
    Public(IpAddr),
}

/// The address of this machine in the local network.
pub(crate) fn address() -> Result<IpAddr, LanError> {
    check(outgoing().map_err(|_| LanError::None)?)
}

/// The address that this machine sends from. Nothing is sent: the system only looks up which way it would go.
fn outgoing() -> io::Result<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    socket.connect(SOMEWHERE)?;
    Ok(socket.local_addr()?.ip())
}

fn check(address: IpAddr) -> Result<IpAddr, LanError> {
    match address {
        IpAddr::V4(v4) if v4.is_loopback() || v4.is_unspecified() => Err(LanError::None),
        IpAddr::V4(v4) if v4.is_private() || v4.is_link_local() => Ok(address),
        _ => Err(LanError::Public(address)),
    }
}

/// Writes an address as a QR code. Its colours are set, since a code must be dark on light on every terminal; without
/// colours it is right on a dark one.
pub(crate) fn write_qr_code(out: &mut dyn Write, address: &str) -> io::Result<()> {
    let Ok(code) = QrCode::new(address) else { return Ok(()) };
    let text = code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build();
    let style = Style::new().fg_color(Some(AnsiColor::BrightWhite.into())).bg_color(Some(AnsiColor::Black.into()));
    text.lines().try_for_each(|line| writeln!(out, "{style}{line}{style:#}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_local_networks_are_taken() {
        let check = |text: &str| check(text.parse().unwrap());
        for address in ["192.168.1.5", "10.0.0.1", "172.16.3.4", "169.254.1.1"] {
            assert_eq!(check(address).unwrap().to_string(), address);
        }
        assert!(matches!(check("127.0.0.1"), Err(LanError::None)));
        assert!(matches!(check("0.0.0.0"), Err(LanError::None)));
        let public = check("198.51.100.7").unwrap_err().to_string();
        assert!(public.contains("strangers") && public.contains("--addr 198.51.100.7:1805"), "{public}");
    }

    #[test]
    fn a_qr_code_is_a_square_with_a_light_margin_and_three_corners() {
        let mut text = Vec::new();
        write_qr_code(&mut text, "http://192.168.1.5:1805/").unwrap();
        let text = anstream::adapter::strip_str(std::str::from_utf8(&text).unwrap()).to_string();
        let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
        // Version 2 has 25 squares on a side, and a margin of 4; a line of text is two lines of squares.
        assert!(lines.len() == 17 && lines.iter().all(|line| line.len() == 33), "{text}");
        assert!(lines[..2].iter().flatten().all(|&square| square == '█'), "{text}");
        let corner = [" ▄▄▄▄▄ █", " █   █ █", " █▄▄▄█ █", "▄▄▄▄▄▄▄█"];
        for (line, expected) in lines[2..].iter().zip(corner) {
            assert_eq!(line[4..12].iter().collect::<String>(), expected, "{text}");
        }
    }
}
