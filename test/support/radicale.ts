// Runs a real Radicale server with one user and one empty calendar in a separate folder.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findRadicale } from "../../scripts/radicale.ts";

export const USER = "ada";
export const PASSWORD = "canary-8c1f-password";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
}

export async function startRadicale() {
  const program = findRadicale();
  if (!program) throw new Error("Radicale is not installed");
  const folder = mkdtempSync(join(tmpdir(), "pawl-radicale-"));
  const port = await freePort();
  writeFileSync(join(folder, "users"), `${USER}:${PASSWORD}\n`);
  const config = [
    `[server]\nhosts = 127.0.0.1:${port}`,
    `[auth]\ntype = htpasswd\nhtpasswd_filename = ${join(folder, "users")}\nhtpasswd_encryption = plain\ndelay = 0`,
    `[storage]\nfilesystem_folder = ${join(folder, "collections")}`,
    "[logging]\nlevel = error",
  ].join("\n");
  writeFileSync(join(folder, "config"), config);
  const server = spawn(program, ["--config", join(folder, "config")], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}/`;
  const authorization = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString("base64")}`;
  const send = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
    fetch(new URL(path, url), {
      method,
      headers: { authorization, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  for (let n = 0; n < 100; n += 1) {
    const up = await send("OPTIONS", "/").catch(() => null);
    if (up) break;
    await sleep(100);
  }
  const collection = `/${USER}/team/`;
  await send(
    "MKCALENDAR",
    collection,
    '<?xml version="1.0"?><C:mkcalendar xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><set><prop><displayname>Work</displayname></prop></set></C:mkcalendar>',
  );
  const names = async (): Promise<string[]> => {
    const listed = await send("PROPFIND", collection, "<propfind xmlns='DAV:'><prop><getetag/></prop></propfind>", {
      depth: "1",
    });
    return [...(await listed.text()).matchAll(/<href>([^<]+\.ics)<\/href>/g)].map(([, href]) => href ?? "");
  };
  return {
    url,
    collection: new URL(collection, url).href,
    send,
    names,
    stop: async () => {
      server.kill();
      await once(server, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Radicale = Awaited<ReturnType<typeof startRadicale>>;
