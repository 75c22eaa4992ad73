// Defines the props that the forms of all gate kinds share.
import type { Gate } from "../../schema/gate.ts";
import type { Session } from "../client/session.ts";

export type GateProps<G extends Gate> = { readonly gate: G; readonly session: Session };
