// Connects a calendar to a Radicale server for tests.
import { createDavAccounts } from "../../../src/adapters/caldav/caldav-accounts.ts";
import { createGuardedFetcher } from "../../../src/adapters/fetch-guarded/guarded-fetcher.ts";
import type { DavAccounts } from "../../../src/ports/dav/dav-accounts.ts";
import type { DocumentStore } from "../../../src/ports/documents.ts";
import type { FetchOptions } from "../../../src/ports/fetcher.ts";
import { succeeded } from "../../../src/testing/expect.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";
import { PASSWORD, type Radicale, USER } from "../../support/radicale.ts";
import { MONDAY, startCalendar } from "./calendar-tools.ts";

export const accountsFor = (url: string, password = PASSWORD, allow = true, limits: FetchOptions = {}): DavAccounts => {
  const { host, port } = new URL(url);
  const fetcher = createGuardedFetcher({ ports: [Number(port)], allow: allow ? [host] : [] });
  return createDavAccounts({
    home: { url, user: USER, password, fetcher, limits: { max_bytes: 1_000_000, ...limits } },
  });
};

/** Connects a new calendar to a collection of the server. */
export async function startConnected(
  dav: DavAccounts,
  url: string,
  documents: DocumentStore = createMemoryDocuments(),
) {
  const calendar = await startCalendar(documents, MONDAY, { dav });
  const open = succeeded(await calendar.store.open(calendar.at));
  succeeded(await open.save([], null, { source: { kind: "caldav", account: "home", url, sync_token: null } }));
  return { ...calendar, dav };
}

/** Connects a new calendar to an empty collection of Radicale. */
export async function startOnRadicale(radicale: Radicale, documents?: DocumentStore, dav = accountsFor(radicale.url)) {
  for (const href of await radicale.names()) await radicale.send("DELETE", href);
  return startConnected(dav, radicale.collection, documents);
}

/** Returns what the server has: UID, start and title of each object. */
export async function serverEvents(radicale: Radicale): Promise<string[]> {
  const texts = await Promise.all(
    (await radicale.names()).map(async (href) => (await radicale.send("GET", href)).text()),
  );
  const field = (text: string, name: string) => new RegExp(`^${name}[^:]*:(.*)\\r$`, "m").exec(eventOf(text))?.[1];
  return texts.map((text) => `${field(text, "SUMMARY")} ${field(text, "DTSTART")}`).sort();
}

const eventOf = (text: string): string => text.slice(text.indexOf("BEGIN:VEVENT"));
