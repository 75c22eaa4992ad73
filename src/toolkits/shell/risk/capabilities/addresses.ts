// Classifies hosts in the words of a command line: this machine, the link-local services of a cloud, or any other host.
// It makes no DNS lookups.

const METADATA =
  /^(?:metadata(?:\.google\.internal|\.azure\.(?:com|internal)|\.oraclecloud\.com)?|instance-data(?:\.ec2\.internal)?)\.?$/;
const LOCAL_NAME = /^(?:localhost|host\.docker\.internal|(?:[\w-]+\.)*(?:test|localhost|local))\.?$/;

/** The URL class normalizes spellings such as 0x7f000001, 127.1 and ①②⑦.0.0.1 to 127.0.0.1. */
function hostOf(word: string): string | undefined {
  const text = /^[a-z][\w+.-]*:\/\//i.test(word) ? word.replace(/^[a-z][\w+.-]*:/i, "http:") : `http://${word}`;
  if (/^http:\/\/:\d+/.test(text)) return "localhost";
  // The URL class does not support zones such as [fe80::1%eth0].
  const plain = text.replace(/%(?:25)?\w+(?=\])/, "");
  return URL.canParse(plain) ? new URL(plain).hostname.toLowerCase() : undefined;
}

export function reachOf(word: string): "loopback" | "link_local" | "elsewhere" {
  const host = hostOf(word);
  if (host === undefined) return "elsewhere";
  if (LOCAL_NAME.test(host) || /^127\.|^0\.0\.0\.0$|^\[::1?\]$|^\[::ffff:7f/.test(host)) return "loopback";
  return isLinkLocal(host) ? "link_local" : "elsewhere";
}

const isLinkLocal = (host: string): boolean =>
  METADATA.test(host) ||
  /^169\.254\.|^100\.100\.100\.200$|^192\.0\.0\.192$|^168\.63\.129\.16$/.test(host) ||
  /^\[(?:fe[89ab][0-9a-f]:|fd00:ec2:|::ffff:a9fe:)/.test(host);

export const isUrl = (word: string): boolean => /^[a-z][\w+.-]{1,20}:\/\//i.test(word);

/** True if the word names a link-local service, whatever program receives it. */
export const namesLinkLocal = (word: string): boolean => {
  const bare = word.replace(/^--?[\w-]+=/, "").replace(/^[\w-]+:(?=\d|\[)/, "");
  if (!isUrl(bare) && !/^(?:\d[\dx.a-f]*|\[[\da-f:.]+\]|metadata[\w.]*|instance-data[\w.]*)(?:[:/]|$)/i.test(bare))
    return false;
  return reachOf(bare) === "link_local";
};
