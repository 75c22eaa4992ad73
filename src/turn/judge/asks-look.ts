// Whether a goal reads as a question or as the wish to see something: then it is clear that a run which only looked changed nothing.
// Only used to leave out a note, so a wording that is not recognised costs one true sentence and no proof.

const QUESTION = /[?？؟՞](?:["'”»)\s]*$|\s)/u;

const LEAD =
  "(?:[\\s\\d.:)-]|(?:please|now|then|and|can you|could you|kannst du|bitte|peux-tu|puedes|por favor|请|帮我|請|幫我)\\b)*";
const LOOKS = [
  `^${LEAD}(?:look|list|show|tell|find|search|read|check|count|explain|describe|summari[sz]e|compare|give me|see|view|review|inspect|analy[sz]e|examine|identify|determine|calculate|compute|translate|what|which|who|whose|when|where|why|how|is|are|was|were|does|do|did|has|have)\\b`,
  `^${LEAD}(?:zeige?|finde?|suche?|lies|prüfe?|liste|nenne?|sage?|was|welche[rsn]?|wer|wann|wo|warum|wie|erkläre?|vergleiche?|zähle?|fasse?)(?!\\p{L})`,
  `^${LEAD}(?:montre[rz]?|trouve[rz]?|cherche[rz]?|lis(?:ez|te[rz]?)?|lire|vérifie[rz]?|dis|dites|quel(?:le)?s?|qui|quand|où|pourquoi|comment|combien|explique[rz]?|compare[rz]?|résume[rz]?)(?!\\p{L})`,
  `^${LEAD}(?:muestra|muéstrame|mostrar|busca[r]?|encuentra|lee[r]?|lista[r]?|comprueba|dime|qué|cuál(?:es)?|quién|cuándo|dónde|cómo|cuánt[oa]s?|explica[r]?|compara[r]?|resume|resumir)(?!\\p{L})`,
  "^\\s*(?:请|帮我|請|幫我|再)*(?:看|查|找|列出|显示|顯示|告诉|告訴|读|讀|阅读|统计|检查|檢查|分析|翻译|总结|比较|解释|说明)|什么|什麼|哪|多少|几点|是否|吗",
  "(?:見せ|教え|調べ|探し|読ん|確認|表示|一覧|何|どこ|いつ|どの|ですか|ますか)",
].map((source) => new RegExp(source, "iu"));

export const asksForLook = (goal: string): boolean =>
  QUESTION.test(`${goal.trim()} `) || LOOKS.some((looks) => looks.test(goal.trim()));
