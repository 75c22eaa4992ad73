// Loads the code of routes on demand: at the first request to one of them, or when the OpenAPI document is built.
import type { RouteDescription, RouteInfo, ToolkitRoute } from "../route.ts";
import { once } from "./once.ts";

type AnyRoute = RouteInfo<string> &
  Pick<ToolkitRoute, "decode_body"> & { readonly handler: (request: never) => unknown };

export type RouteData = Pick<ToolkitRoute, "method" | "path" | "scope" | "body_bytes_max"> & {
  readonly decodes_body: boolean;
  /** The plain data fields of the description, and the names of the fields that have schemas. */
  readonly openapi: { readonly data: object; readonly loaded: readonly string[] } | null;
};

export function found<T>(all: ReadonlyMap<string, T>, name: string): T {
  const one = all.get(name);
  if (one === undefined) throw new Error(`${name} is in the data of its toolkit, but not in its code`);
  return one;
}

const keyOf = ({ method, path }: Pick<RouteInfo, "method" | "path">): string => `${method} ${path}`;

export function lazyRoutes<R extends AnyRoute>(routes: readonly RouteData[], load: () => readonly R[]): readonly R[] {
  const byKey = once(() => new Map(load().map((route) => [keyOf(route), route])));
  return routes.map(({ decodes_body, openapi, ...info }) => {
    const route = (): R => found(byKey(), keyOf(info));
    return {
      ...info,
      openapi: openapi && lazyDescription(openapi, () => route().openapi),
      ...(decodes_body && { decode_body: (bytes: Uint8Array) => route().decode_body?.(bytes) ?? null }),
      handler: (request: never) => route().handler(request),
    } as AnyRoute as R;
  });
}

function lazyDescription(
  { data, loaded }: NonNullable<RouteData["openapi"]>,
  load: () => RouteDescription<string> | null,
): RouteDescription<string> {
  const description = { ...data };
  for (const name of loaded)
    Object.defineProperty(description, name, { enumerable: true, get: () => Reflect.get(load() ?? {}, name) });
  return description as RouteDescription<string>;
}
