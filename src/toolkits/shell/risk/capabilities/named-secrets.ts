// Programs with a configuration print a token or a password if its name is asked for.
import type { SimpleCommand } from "../model.ts";
import { wordSet } from "../model.ts";
import type { RiskCode } from "../reasons.ts";

const HAS_CONFIGURATION = wordSet(
  "git npm pnpm yarn bun pip pip3 uv poetry composer gem bundle cargo conda gh glab gcloud az aws kubectl oc helm docker podman heroku vercel netlify flyctl fly doppler stripe supabase firebase terraform pulumi",
);
const SECRET_NAME =
  /token|secret|passw|api_?key|access_?key|private_?key|oauth|extraheader|http-basic|(?:^|[.:_])auth(?:$|[.:_])/i;

export function namedSecretRisks({ name, args }: SimpleCommand): readonly RiskCode[] {
  if (!HAS_CONFIGURATION.has(name)) return [];
  const words = args.map((arg) => arg.value);
  const at = words.findIndex((word) => /^config(?:ure)?$/.test(word));
  if (at < 0) return [];
  const after = words.slice(at + 1);
  return after.some((word) => SECRET_NAME.test(word)) || after.includes("--raw") ? ["credentials"] : [];
}
