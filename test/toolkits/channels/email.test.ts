// Tests e-mail channels with a real SMTP server on this machine: who receives e-mail, what it contains, and that it is
// sent once.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSmtpMailer, readSmtpUrl } from "../../../src/adapters/mail-smtp.ts";
import { openChannels } from "../../../src/hosts/node/channels/open-channels.ts";
import { collectSecrets } from "../../../src/hosts/shared/collect-secrets.ts";
import { keyVariables } from "../../../src/hosts/shared/secret-variables.ts";
import type { EmailChannel } from "../../../src/ports/data/channel-settings.ts";
import { Config } from "../../../src/schema/config.ts";
import { crashMatrix, crashTable } from "../../../src/testing/crash-matrix.ts";
import { succeeded } from "../../../src/testing/expect.ts";
import { channels } from "../../../src/toolkits/channels/toolkit.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";
import { plugToolkit } from "../../support/toolkit.ts";

type Received = { readonly to: readonly string[]; readonly source: string };
let received: Received[] = [];
/** Called when the server has received an e-mail. */
let onMail: (end: (error?: Error) => void, server: { destroy(): void }) => void = (end) => end();

const sockets = new Set<{ destroy(): void }>();
const server = new SMTPServer({
  disabledCommands: ["STARTTLS"],
  allowInsecureAuth: true,
  authOptional: true,
  logger: false,
  onAuth: ({ password }, _session, done) =>
    password === "p@ss word" ? done(null, { user: "agent" }) : done(new Error("secret user agent on host mx1")),
  onRcptTo: ({ address }, _session, done) =>
    address.startsWith("gone") ? done(Object.assign(new Error("no such user at mx1"), { responseCode: 550 })) : done(),
  onData: (stream, { envelope }, done) => {
    let source = "";
    stream.on("data", (chunk: Buffer) => {
      source += chunk.toString();
    });
    stream.on("end", () => {
      received.push({ to: envelope.rcptTo.map(({ address }) => address), source });
      onMail(done, { destroy: () => [...sockets].map((socket) => socket.destroy()) });
    });
  },
});
server.server.on("connection", (socket) => sockets.add(socket));
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.server.address() as AddressInfo).port;
});
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
beforeEach(() => {
  received = [];
  onMail = (end) => end();
});

const address = (url: string) => succeeded(readSmtpUrl(url, "MAIL_URL"));
function plugged(over: Partial<EmailChannel> = {}, documents = createMemoryDocuments()) {
  const mail: EmailChannel = {
    kind: "email",
    from: "agent@example.com",
    recipients: ["@example.org", "Team@Example.com"],
    subject: "From an agent",
    reply: { enabled: true },
    watermark: "suffix",
    suffix: " [AI]",
    mailer: createSmtpMailer(address(`smtp://agent:p%40ss%20word@127.0.0.1:${port}`)),
    ...over,
  };
  return plugToolkit(channels, { documents, channels: { mail } });
}
const send = async (kit: ReturnType<typeof plugged>, args: object = {}, key = "eff_1") =>
  (await kit.call("channel_send_text", { text: "Hello", channel: "mail", ...args }, { idempotency_key: key })).value;

describe("an e-mail channel", () => {
  test("sends the text with its watermark to the first address, under the id of the effect", async () => {
    expect(await send(plugged())).toEqual({ channel: "mail", id: "eff_1" });
    expect(received[0]?.to).toEqual(["Team@example.com"]);
    for (const part of ["Message-ID: <eff_1@pawl>", "Subject: From an agent", "From: agent@example.com", "Hello [AI]"])
      expect(received[0]?.source).toContain(part);
  });

  test("sends to a named address and with a subject, as they are written", async () => {
    await send(plugged(), { to: "ann@example.org", subject: "Ünïcode: déjà vu", text: "1\n.\n2\n" });
    expect(received[0]?.to).toEqual(["ann@example.org"]);
    expect(received[0]?.source).toContain("Subject: =?UTF-8?");
    expect(received[0]?.source).toMatch(/\r\n1\r\n\.\r\n2/);
  });

  test.each([
    ["another domain", "ann@example.net"],
    ["a domain that ends like an allowed one", "ann@evil-example.org"],
    ["a subdomain", "ann@mail.example.org"],
    ["two addresses", "ann@example.org,eve@example.net"],
    ["a second @", "eve@example.net@example.org"],
    ["a name that hides another address", "<eve@example.net> ann@example.org"],
    ["a header in it", "ann@example.org\r\nBcc: eve@example.net"],
    ["an address literal", "ann@[127.0.0.1]"],
    ["a comment", "ann@example.org(eve@example.net)"],
    ["a group", "group:eve@example.net;@example.org"],
    ["no address", "Ann"],
  ])("refuses %s, before a person is asked and when it runs", async (_what, to) => {
    const kit = plugged();
    expect(await send(kit, { to })).toMatchObject({ problem: { code: "tool_refused" } });
    const context = { tenant: "local", metadata: {} } as never;
    const check = kit.find("channel_send_text").check?.({ text: "x", channel: "mail", to }, context);
    expect(await check).toMatchObject({ problem: { code: "tool_refused" } });
    expect(received).toEqual([]);
  });

  test("refuses a subject of several lines", () => {
    const { input } = plugged().find("channel_send_text");
    expect(input.safeParse({ text: "x", subject: "a\r\nBcc: eve@example.net" }).success).toBe(false);
  });

  test("says that the server refused it, without the words of the server, and can send it again", async () => {
    const kit = plugged();
    const refused = await send(kit, { to: "gone@example.org" });
    expect(refused).toMatchObject({ problem: { code: "tool_refused", message: expect.stringContaining("550") } });
    expect(JSON.stringify(refused)).not.toContain("mx1");
    const wrong = plugged({ mailer: createSmtpMailer(address(`smtp://agent:wrong@127.0.0.1:${port}`)) });
    const unauthorized = await send(wrong);
    expect(unauthorized).toMatchObject({ problem: { code: "tool_refused" } });
    expect(JSON.stringify(unauthorized)).not.toMatch(/mx1|wrong/);
    expect(received).toEqual([]);
  });

  test("a server that does not answer does not count as a delivery, and no password is sent in the clear to another machine", async () => {
    const nobody = plugged({ mailer: createSmtpMailer({ ...address("smtp://127.0.0.1:1"), port: 1 }) });
    expect(await send(nobody)).toMatchObject({ problem: { code: "tool_refused" } });
    // Any host except the names of this machine needs encryption. This is another address of this machine.
    const remote = plugged({ mailer: createSmtpMailer({ ...address(`smtp://a:b@127.0.0.2:${port}`) }) });
    expect(await send(remote)).toMatchObject({ problem: { code: "tool_refused" } });
    expect(received).toEqual([]);
  });

  test("a lost answer is an unknown result, and the mail is never sent twice", async () => {
    onMail = (_end, { destroy }) => destroy();
    const kit = plugged();
    expect(await send(kit)).toMatchObject({ problem: { code: "outcome_unknown" } });
    onMail = (end) => end();
    expect(await send(kit)).toMatchObject({ problem: { code: "outcome_unknown" } });
    expect(received).toHaveLength(1);
    const context = { tenant: "local", metadata: {} } as never;
    const reconcile = kit.find("channel_send_text").reconcile?.({ text: "Hello", channel: "mail" }, "eff_1", context);
    expect(await reconcile).toBeNull();
  });

  describe("with a server that responds unexpectedly", () => {
    const MAIL = { from: "a@example.com", to: "b@example.com", subject: "s", text: "Hello", message_id: "<1@pawl>" };
    const open: Socket[] = [];
    let answer: string | null = null;
    const odd = createServer((socket) => {
      open.push(socket);
      socket.on("error", () => undefined).write("220 odd\r\n");
      socket.on("data", (data) => {
        if (/^DATA/i.test(String(data))) socket.write("354 go on\r\n");
        else if (!String(data).endsWith(".\r\n")) socket.write("250 fine\r\n");
        else if (answer !== null) socket.write(`${answer}\r\n`);
      });
    });
    beforeAll(() => once(odd.listen(0, "127.0.0.1"), "listening"));
    afterAll(() => {
      for (const socket of open) socket.destroy();
      odd.close();
    });
    const sendOddly = (signal: AbortSignal) =>
      createSmtpMailer(address(`smtp://127.0.0.1:${(odd.address() as AddressInfo).port}`)).send(MAIL, signal);

    test.each([
      ["okay, got it", "outcome_unknown"],
      ["354 go on", "outcome_unknown"],
      ["999 done", "outcome_unknown"],
      ["451 later", "tool_refused"],
      ["554 never", "tool_refused"],
    ])("%s is %s", async (line, code) => {
      answer = line;
      expect(await sendOddly(AbortSignal.timeout(9_000))).toMatchObject({ problem: { code } });
    });

    test("a call that is stopped ends the connection", async () => {
      answer = null;
      const sent = await Promise.race([sendOddly(AbortSignal.timeout(300)), sleep(5_000, "still waiting")]);
      expect(sent).toMatchObject({ problem: { code: "outcome_unknown" } });
      const last = open.at(-1);
      if (last && !last.destroyed) await once(last, "close");
      expect(last?.destroyed).toBe(true);
    });
  });

  test("a call that is repeated after it was sent finds the mail, and reconcile knows it", async () => {
    const kit = plugged();
    await send(kit);
    expect(await send(kit)).toEqual({ channel: "mail", id: "eff_1" });
    expect(received).toHaveLength(1);
    const context = { tenant: "local", metadata: {} } as never;
    const reconcile = kit.find("channel_send_text").reconcile?.({ text: "Hello", channel: "mail" }, "eff_1", context);
    expect(await reconcile).toMatchObject({ happened: true });
  });

  test("in every crash, the mail is sent at most once", async () => {
    const tool = plugged().find("channel_send_text");
    const matrix = await crashMatrix({
      tool,
      arguments: { text: "Hello", channel: "mail" },
      effects: () => received.length,
    });
    expect(matrix.honest, crashTable(matrix)).toBe(true);
  });
});

describe("its configuration", () => {
  const mail = { kind: "email", url_env: "MAIL_URL", from: "a@example.com", recipients: ["@example.org"] };
  const config = Config.parse({ channels: { mail } });

  test.each([
    ["no recipients", { recipients: [] }],
    ["a recipient that is neither", { recipients: ["everybody"] }],
    ["a sender that is no address", { from: "Agent" }],
    ["an app", { target: "weixin" }],
  ])("with %s is refused", (_what, over) => {
    expect(Config.safeParse({ channels: { mail: { ...mail, ...over } } }).success).toBe(false);
  });

  test.each(["", "http://host", "smtp://"])("the address %j is refused, without repeating it", (url) => {
    expect(openChannels(config, { MAIL_URL: url })).toMatchObject({ problem: { code: "config_invalid" } });
  });

  test("its address and password are secrets, and no command gets them", () => {
    const url = "smtps://agent:p%40ss@mail.example.com";
    expect(openChannels(config, { MAIL_URL: url })).toMatchObject({ ok: true });
    expect(collectSecrets(config as never, { MAIL_URL: url })).toEqual(expect.arrayContaining([url, "p@ss"]));
    expect(keyVariables(config)).toContain("MAIL_URL");
  });
});
