// Tokens that begin with a prefix of their issuer, as the issuers document them. A new issuer is one line.

const WORD = "[A-Za-z0-9_-]";
const ALNUM = "[A-Za-z0-9]";
const DOTTED = "[A-Za-z0-9_.-]";
const BASE64 = "[A-Za-z0-9+/=]";
const HEX = "[0-9a-f]";

/** Each as: how it begins, what follows, how much of that at least. */
export const TOKENS: readonly (readonly [prefix: string, letters: string, min: number])[] = [
  // Our own: keys, signing secrets of webhooks, addresses of inbound webhooks, links, tickets.
  ["pawl_", WORD, 22],
  ["whsec_", BASE64, 16],
  ["hkt_", DOTTED, 16],
  ["cft_", DOTTED, 16],
  ["tkt_", "[0-9a-z]", 26],
  // Cloud providers; ASIA and ya29 are temporary credentials.
  ["AKIA", "[A-Z0-9]", 16],
  ["ASIA", "[A-Z0-9]", 16],
  ["AIza", WORD, 30],
  ["ya29.", DOTTED, 20],
  ["GOCSPX-", WORD, 20],
  ["dop_v1_", HEX, 32],
  ["doo_v1_", HEX, 32],
  ["dor_v1_", HEX, 32],
  ["hvs.", DOTTED, 20],
  ["hvb.", DOTTED, 20],
  ["dapi", HEX, 32],
  // Models.
  ["sk-", WORD, 20],
  ["gsk_", ALNUM, 30],
  ["xai-", ALNUM, 40],
  ["hf_", ALNUM, 30],
  ["r8_", ALNUM, 30],
  ["pplx-", ALNUM, 30],
  // Source code and packages.
  ["ghp_", ALNUM, 30],
  ["gho_", ALNUM, 30],
  ["ghs_", ALNUM, 30],
  ["ghu_", ALNUM, 30],
  ["ghr_", ALNUM, 30],
  ["github_pat_", "[A-Za-z0-9_]", 30],
  ["glpat-", WORD, 16],
  ["gldt-", WORD, 16],
  ["glrt-", WORD, 16],
  ["glptt-", WORD, 16],
  ["glcbt-", WORD, 16],
  ["npm_", ALNUM, 30],
  ["pypi-", WORD, 30],
  ["dckr_pat_", WORD, 20],
  ["sntrys_", BASE64, 30],
  ["glsa_", "[A-Za-z0-9_]", 30],
  // Payments, messages, work.
  ["sk_live_", WORD, 16],
  ["sk_test_", WORD, 16],
  ["rk_live_", WORD, 16],
  ["rk_test_", WORD, 16],
  ["shpat_", HEX, 32],
  ["shpss_", HEX, 32],
  ["xoxb-", WORD, 16],
  ["xoxp-", WORD, 16],
  ["xoxa-", WORD, 16],
  ["xoxr-", WORD, 16],
  ["xoxs-", WORD, 16],
  ["xoxe-", WORD, 16],
  ["xapp-", WORD, 16],
  ["SG.", DOTTED, 40],
  ["lin_api_", ALNUM, 30],
  ["ntn_", ALNUM, 30],
  ["figd_", WORD, 30],
  ["PMAK-", WORD, 30],
  ["NRAK-", "[A-Z0-9]", 20],
];
