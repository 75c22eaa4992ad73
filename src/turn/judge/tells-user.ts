// Whether a step only tells the user something ("Tell the user what you found"). The delivery does that, so such a step has no
// receipt of its own. Clear wordings only, in the languages in which orders are read; any other step keeps the proof it declares.

/** Whoever is asked answers, and that is a receipt. */
const ASKS = /\b(?:ask|asks|confirm|choose|decide|frag|frage|demande|pregunta)\b|询问|请用户|确认|选择|尋ね|質問/iu;

const TELLS = [
  /^(?:\W|\d|(?:then|finally|and|now|lastly|please)\b)*(?:tell|inform|notify|answer|give|show|present|explain|report|deliver|summari[sz]e|reply|respond|return|state|let)\b.*\b(?:user|users|user's|them|me)\b/i,
  /^(?:\W|\d|(?:then|finally|and|now|lastly|please)\b)*(?:report|summari[sz]e|present|deliver|return)\s+(?:back\b|(?:the|all|your|my)\s+(?:\w+\s+)?(?:results?|findings|outcome|answer|conclusions?)\b)/i,
  /^[\s\d.、然后最再并]*(?:向|给|把.*)?用户?.{0,8}(?:汇报|报告|说明|回复|回答|总结)|^[\s\d.、然后最再并]*(?:把.{1,16}?)?(?:告诉|告知|通知|回复|回答|汇报给?|报告给)(?:用户|我|他)/u,
  /^(?:\W|\d|(?:dann|zuletzt|bitte)\b)*(?:(?:sage?|teile?|berichte|antworte|zeige?|melde|nenne)\b.*\b(?:nutzer|benutzer|nutzerin|anwender|mir)\b|(?:dem|den)\s+(?:be)?nutzer\b.*\b(?:mitteilen|berichten|antworten|sagen|zeigen|nennen|informieren))/i,
  /^(?:\W|\d|(?:puis|enfin|ensuite)\b)*(?:dire|dis|informer|informe|répondre|réponds|présenter|présente|montrer|montre|rapporter|résumer|résume)\b.*\b(?:utilisateur|utilisatrice)\b/iu,
  /^(?:\W|\d|(?:luego|finalmente)\b)*(?:decir|di|informar|informa|responder|responde|presentar|presenta|mostrar|muestra|resumir|resume)\b.*\b(?:usuario|usuaria)\b/iu,
  /(?:ユーザー?|利用者)に.{0,24}(?:伝え|報告|知らせ|答え|説明|回答)/u,
];

export const tellsUser = (text: string): boolean => !ASKS.test(text) && TELLS.some((tells) => tells.test(text.trim()));
