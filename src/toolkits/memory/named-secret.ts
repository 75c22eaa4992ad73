// Finds secrets without a recognizable format by the preceding words, as in "my password is Summer2024".

const NAMES = [
  "password|passwd|passphrase|passcode|pwd|api[ _-]?key|access[ _-]?key|secret[ _-]?key|(?:access[ _-]?)?token|secret|credentials?",
  "passwort|kennwort|mot de passe|contraseña|senha|密码|密碼|口令|パスワード",
].join("|");
const LINKS = String.raw`[:=：]|(?<=\s)(?:is|are|was|lautet|ist|est|es|é)(?=\s)|是|为|為|は`;
/** Matches a name and a value, with at most a few words between them. */
const NAMED = new RegExp(
  String.raw`(?:${NAMES})[\p{L}\p{N} '’_-]{0,40}?(?:${LINKS})\s*["'“„«\x60]?([^\s"'”“»\x60]+)`,
  "giu",
);
const PIN = /\bPIN\b[^.\n]{0,20}?\b\d{4,8}\b/;

export const containsNamedSecret = (text: string): boolean =>
  PIN.test(text) || [...text.matchAll(NAMED)].some(([, value = ""]) => isStrong(value.replace(/[.,;!?)]+$/, "")));

/** Ordinary words have no digits. */
const isStrong = (value: string): boolean => value.length >= 6 && /\d/.test(value) && /^\d+$|\p{L}/u.test(value);
