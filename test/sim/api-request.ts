// Builds requests other than turns: schedules, webhooks, inbound webhooks, files. Defaults to a POST without a body.
import type { TenantId } from "../../src/schema/ids.ts";
import type { ApiRequest } from "./server.ts";

type Sender = { readonly person: { readonly name: string; readonly shared: { readonly tenant: TenantId } } };

export const apiRequest = ({ person }: Sender, more: Partial<ApiRequest> & Pick<ApiRequest, "path">): ApiRequest => ({
  kind: "api",
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
