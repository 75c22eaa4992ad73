// Finds secrets without a recognizable format by the word before them: "my password is Summer2024".

const NAMES = [
  "password|passwd|passphrase|passcode|pwd|api[ _-]?key|access[ _-]?key|secret[ _-]?key|(?:access[ _-]?)?token|secret|credentials?",
  "passwort|kennwort|mot de passe|contraseña|senha|密码|密碼|口令|パスワード",
].join("|");
const LINKS = String.raw`[:=：]|(?<=\s)(?:is|are|was|lautet|ist|est|es|é)(?=\s)|是|为|為|は`;
/** A few words may stand between the name and the value. */
const NAMED = new RegExp(
  String.raw`(?:${NAMES})[\p{L}\p{N} '’_-]{0,40}?(?:${LINKS})\s*["'“„«\x60]?([^\s"'”“»\x60]+)`,
  "giu",
);
const PIN = /\bPIN\b[^.\n]{0,20}?\b\d{4,8}\b/;

export const namesSecret = (text: string): boolean =>
  PIN.test(text) || [...text.matchAll(NAMED)].some(([, value = ""]) => isStrong(value.replace(/[.,;!?)]+$/, "")));

/** Words of a sentence have no digits. */
const isStrong = (value: string): boolean => value.length >= 6 && /\d/.test(value) && /^\d+$|\p{L}/u.test(value);
