// A tool is a manifest plus one function. This one sends an invoice that must not be sent twice, even after a crash.
import { z } from "zod";
import { createClient, createFetch, createRuntime, createScriptedModel, defineTool, fail } from "../src/index.ts";

const sent = new Map<string, string>();

const sendInvoice = defineTool(
  {
    name: "send_invoice",
    description: "Sends an invoice to a customer.",
    permission: "WRITE", // a user confirms it, unless the thread was created with auto_approve
    effect: "keyed", // after a crash it is resent with the same key
    input: z.object({ customer: z.string(), cents: z.number().int().positive() }),
    output: z.object({ invoice: z.string() }),
    reconcile: async (_input, key) => {
      const invoice = sent.get(key);
      return invoice ? { happened: true, output: { invoice } } : null;
    },
  },
  async ({ customer, cents }, { idempotency_key }) => {
    if (cents > 100_000) return fail("tool_refused", "Invoices above 1000 must be approved by accounting.");
    const key = idempotency_key ?? "";
    const invoice = sent.get(key) ?? `INV-${sent.size + 1} for ${customer}`;
    sent.set(key, invoice);
    return { invoice };
  },
);

const model = createScriptedModel([
  { action: "continue", tool_call: { name: "send_invoice", arguments: { customer: "Ada", cents: 4200 } } },
  { action: "done", goal_check: "The receipt shows the invoice." },
  "The invoice for Ada is sent.",
]);
const pawl = createClient("http://embedded", null, createFetch(createRuntime({ model, tools: [sendInvoice] })));

const created = await pawl.create({ goal: "Bill Ada 42", mode: "direct", auto_approve: ["send_invoice"] });
if (!created.ok) throw new Error(created.problem.message);
const run = await pawl.advanceUntilPause(created.value.thread.id);
if (!run.ok) throw new Error(run.problem.message);
for (const turn of run.value.turns) {
  for (const receipt of turn.receipts) console.log(receipt.kind, receipt.name, receipt.success, receipt.summary);
}
console.log(run.value.turn?.speak, run.value.thread.evidence);
