// Tests whether a connection is attributed to a command by the address of its socket.
import { spawn } from "node:child_process";
import { createServer, type Socket } from "node:net";
import { afterAll, expect, test } from "vitest";
import { comesFromCommand } from "../../src/adapters/operations-local/command-peers.ts";

const server = createServer();
afterAll(() => void server.close());

test.runIf(process.platform === "linux")(
  "an address with the name of its interface is one of this machine",
  async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const connected = new Promise<Socket>((resolve) => server.once("connection", resolve));
    const { port } = server.address() as { port: number };
    const child = spawn(process.execPath, ["-e", `require("net").connect(${port}, "127.0.0.1")`]);
    const { remotePort, localPort } = await connected;
    expect(await comesFromCommand({ remoteAddress: "::1%lo", remotePort, localPort }, new Map())).toBe(true);
    child.kill("SIGKILL");
  },
);
