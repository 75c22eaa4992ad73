// Defines the three verdicts on a decision, which are stored with every record that contains one.
import * as z from "zod";

export const Verdict = z.object({ passed: z.boolean(), reason: z.string() });
export type Verdict = z.infer<typeof Verdict>;

export const Judgement = z.object({ flow: Verdict, evidence: Verdict, safety: Verdict });
export type Judgement = z.infer<typeof Judgement>;
