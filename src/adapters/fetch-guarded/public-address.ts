// Checks whether an IP address is public. An address that is not known to be public counts as private.
import ipaddr from "ipaddr.js";

/** Azure's host agent has an address that looks public but is reachable only inside that cloud. */
const HOST_AGENTS = ["168.63.129.16"];

export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  return address instanceof ipaddr.IPv4 ? isPublicV4(address) : isPublicV6(address as ipaddr.IPv6);
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && !HOST_AGENTS.includes(address.toString());
}

function isPublicV6(address: ipaddr.IPv6): boolean {
  if (address.zoneId) return false;
  const bytes = address.toByteArray();
  if (address.isIPv4MappedAddress()) return isPublicV4(address.toIPv4Address());
  // A NAT64 translator (64:ff9b::/96) forwards to the IPv4 address in the last four bytes, so that address is checked.
  if (address.match(ipaddr.IPv6.parse("64:ff9b::"), 96)) return isPublicV4(new ipaddr.IPv4(bytes.slice(12)));
  // Global unicast is 2000::/3. For 6to4, Teredo and the reserved parts of it, `range` returns other names than
  // "unicast".
  return address.range() === "unicast" && ((bytes[0] ?? 0) & 0xe0) === 0x20;
}
