// What a person asks for beside turns: schedules, webhooks, hooks, files. A POST without a body unless it says more.
import type { TenantId } from "../../src/schema/ids.ts";
import type { Errand } from "./server.ts";

type Asker = { readonly person: { readonly name: string; readonly board: { readonly tenant: TenantId } } };

export const errandOf = ({ person }: Asker, more: Partial<Errand> & Pick<Errand, "path">): Errand => ({
  kind: "errand",
  tenant: person.board.tenant,
  actor: person.name,
  method: "POST",
  body: null,
  form: false,
  key: null,
  sign: null,
  gate: null,
  ...more,
});
