// A store of your own has to keep the promises of the port. The contract that checks them is public, and plain data.
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

/** Tells somebody about every record that was stored. Everything else is the inner store's work. */
function createNotifyingStore(inner: ThreadStore, notify: (line: string) => void): ThreadStore {
  return {
    ...inner,
    async append(at, record, also) {
      const appended = await inner.append(at, record, also);
      // A record that lost the race was never there, so nobody hears of it.
      if (appended.ok) notify(`record ${record.version} of turn ${record.turn}`);
      return appended;
    },
  };
}

let passed = 0;
for (const { name, run } of threadStoreContract) {
  const data = createMemoryData();
  await run(async () => createNotifyingStore(createMemoryStore(data), () => undefined)).catch((why) => {
    throw new Error(`${name}: ${why}`);
  });
  passed += 1;
}
console.log(`the store keeps all ${passed} promises`);

const model = createScriptedModel([{ action: "answer", speak: "Hello from your own store." }]);
const store = createNotifyingStore(createMemoryStore(), console.log);
const pawl = createClient("http://embedded", null, createFetch(createRuntime({ model, store })));
const created = await pawl.create({ goal: "Say hello" });
if (!created.ok) throw new Error(created.problem.message);
const answered = await pawl.advance(created.value.thread.id);
console.log(answered.ok ? answered.value.turn?.speak : answered.problem.code);
