// Whether a numeric address belongs to the public internet. Everything not known to be public is not.
import ipaddr from "ipaddr.js";

/** Looks public and answers only inside one cloud: the host agent of Azure. */
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
  // A translator (64:ff9b::/96) reaches the address in the last four bytes, and on such networks all of IPv4 looks so.
  if (address.match(ipaddr.IPv6.parse("64:ff9b::"), 96)) return isPublicV4(new ipaddr.IPv4(bytes.slice(12)));
  // Global unicast is 2000::/3; 6to4, Teredo and the reserved parts of it have a range of their own.
  return address.range() === "unicast" && ((bytes[0] ?? 0) & 0xe0) === 0x20;
}
