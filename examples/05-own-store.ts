// A custom store must meet the contract of the port. The contract is public and consists of plain data.
import {
  createClient,
  createFetch,
  createMemoryData,
  createMemoryStore,
  createRuntime,
  createScriptedModel,
  type ThreadStore,
} from "../src/index.ts";
import { threadStoreContract } from "../src/testing/index.ts";

/** Wraps a store and reports every record that it stores. */
function createAuditedStore(inner: ThreadStore, report: (line: string) => void): ThreadStore {
  return {
    ...inner,
    async append(at, record, also) {
      const appended = await inner.append(at, record, also);
      // A record that lost the race was never stored, so it is not reported.
      if (appended.ok) report(`record ${record.version} of turn ${record.turn}`);
      return appended;
    },
  };
}

for (const { name, run } of threadStoreContract) {
  const data = createMemoryData();
  await run(async () => createAuditedStore(createMemoryStore(data), () => undefined)).catch((why) => {
    throw new Error(`${name}: ${why}`);
  });
}
console.log(`the store passes all ${threadStoreContract.length} cases of the contract`);

const model = createScriptedModel([{ action: "answer", speak: "Hello from your own store." }]);
const store = createAuditedStore(createMemoryStore(), console.log);
const pawl = createClient("http://embedded", null, createFetch(createRuntime({ model, store })));
const created = await pawl.create({ goal: "Say hello" });
if (!created.ok) throw new Error(created.problem.message);
const answered = await pawl.advance(created.value.thread.id);
console.log(answered.ok ? answered.value.turn?.speak : answered.problem.code);
