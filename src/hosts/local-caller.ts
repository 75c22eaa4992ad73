// Where no keys are configured, whoever reaches the loopback address may do everything, as tenant "local".
import { type Authenticate, SCOPES } from "../http/caller.ts";
import { LOCAL_TENANT } from "../schema/ids.ts";
import { ok } from "../schema/problem.ts";

const LOCAL = { tenant: LOCAL_TENANT, name: "local", scopes: new Set(SCOPES) };

export const localCaller: Authenticate = () => ok(LOCAL);
