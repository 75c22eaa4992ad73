// What a key allows. A route names the one scope it needs; a few inputs need a second one.
export const SCOPES = ["read", "advance", "confirm", "admin"] as const;
export type Scope = (typeof SCOPES)[number];
