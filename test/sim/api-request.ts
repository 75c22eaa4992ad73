// What a person asks for beside turns: schedules, webhooks, hooks, files. A POST without a body unless it says more.
import type { TenantId } from "../../src/schema/ids.ts";
import type { ApiRequest } from "./server.ts";

type Sender = { readonly person: { readonly name: string; readonly shared: { readonly tenant: TenantId } } };

export const apiRequest = ({ person }: Sender, more: Partial<ApiRequest> & Pick<ApiRequest, "path">): ApiRequest => ({
  kind: "errand",
  tenant: person.shared.tenant,
  actor: person.name,
  method: "POST",
  body: null,
  form: false,
  key: null,
  sign: null,
  gate: null,
  ...more,
});
