// Lists the forms in which a secret value is transmitted: plain, URL-encoded, base64 at any offset, hexadecimal and inside JSON.
/** Shorter values are ordinary words. Removing them would damage text and hide nothing. */
export const SECRET_CHARS_MIN = 6;
const CORE_CHARS_MIN = 8;

export function secretEncodings(secret: string): readonly string[] {
  if (secret.length < SECRET_CHARS_MIN) return [];
  const inJson = JSON.stringify(secret).slice(1, -1);
  const forms = [
    secret,
    inJson,
    JSON.stringify(inJson).slice(1, -1),
    ...urlEncodings(secret),
    ...hexEncodings(secret),
    ...base64Encodings(secret),
  ];
  // A secret with several lines is often shown line by line.
  const lines = secret.split(/\r?\n/).filter((line) => line !== secret && line.length >= 16);
  return [...new Set([...forms, ...lines])];
}

function urlEncodings(secret: string): readonly string[] {
  if (!secret.isWellFormed()) return [];
  const encoded = encodeURIComponent(secret);
  const strict = encoded.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const both = [encoded, strict].flatMap((form) => [form, form.replaceAll("%20", "+")]);
  return both.flatMap((form) => [form, form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]);
}

function hexEncodings(secret: string): readonly string[] {
  const hex = [...new TextEncoder().encode(secret)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex, hex.toUpperCase()];
}

/** For each of the three base64 offsets, the characters of a secret that do not depend on the text around it. */
function base64Encodings(secret: string): readonly string[] {
  const bytes = new TextEncoder().encode(secret);
  const cores = [0, 1, 2].map((offset) => {
    const padded = new Uint8Array(offset + bytes.length);
    padded.set(bytes, offset);
    const whole = encodeBase64(padded);
    const firstWhole = Math.ceil((offset * 8) / 6);
    const lastWhole = Math.floor((padded.length * 8) / 6);
    return whole.slice(firstWhole, lastWhole);
  });
  // Programs wrap base64 at 76 characters, so the characters are also matched with line breaks.
  const [first = ""] = cores;
  const lines = first.match(/.{1,76}/g) ?? [];
  return [...cores, ...["\n", "\r\n", "\\n"].map((end) => lines.join(end))]
    .filter((core) => core.length >= CORE_CHARS_MIN)
    .flatMap((core) => [core, core.replaceAll("+", "-").replaceAll("/", "_")]);
}

const encodeBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
