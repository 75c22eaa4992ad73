// Lists words that ask to look something up, by language. Only common words are listed; any other word means neither a lookup nor a change.
export type LookupWords = {
  /** Words at the beginning of a request that order a lookup or begin a question. */
  readonly begins: string;
  /** Words like those in `begins` that count only if the pattern after them matches. */
  readonly begins_if?: Readonly<Record<string, string>>;
  /** Words that begin a polite question. It may ask for anything, so the words after them must begin with a lookup or match `asked`. */
  readonly polite?: string;
  /** Lookups anywhere in a polite question, for languages where the verb comes last. */
  readonly asked?: string;
};

/** Matches places where something is shown: "Show the price on the checkout page" asks for a change of a page, not for an answer. */
const SHOWN_PLACE =
  "\\b(?:on|in|at)\\s+(?:(?:the|our|my|every|each|all)\\s+)?(?:[\\w-]+\\s+){0,2}(?:(?:home|web)?pages?|screens?|(?:web)?site|headers?|footers?|sidebar|nav(?:bar|igation)?|toolbar|menu|dashboard|dialogs?|pop-?ups?|tooltips?|splash)\\b";

const ENGLISH_VERBS = [
  "(?:take|have)\\s+an?\\s+(?:\\w+\\s+)?look|find|peek|grep|wonder|search|read|re-read|view|see|review|inspect|browse|explore|scan|skim",
  "double[-\\s]check|recheck|verify|validate|investigate|research|analy[sz]e|examine|diagnose|reproduce|compare",
  "identify|determine|detect|establish|locate|discover|learn|know|understand|calculate|compute|estimate|measure|assess|evaluate|audit|rank",
  "explain|describe|summari[sz]e|add\\s+up|outline|define|translate|quote|cite|recommend|suggest|propose|advise|choose|select|decide",
  "fetch|retrieve|recall|gather|collect|query|preview|give\\s+(?:me|us)|let\\s+(?:me|us)\\s+(?:know|see)|work\\s+out|figure\\s+out|go\\s+(?:through|over)|walk\\s+(?:me\\s+)?through",
].join("|");

/** Verbs that order a lookup only if certain words follow, or only if they do not. */
const ENGLISH_CONDITIONS: Readonly<Record<string, string>> = {
  look: "(?!\\s+after)",
  list: "(?!\\b.*(?:\\bfor\\s+(?:sale|rent)\\b|\\bon\\s+(?:ebay|airbnb|etsy|craigslist|vinted|gumtree|(?:\\w+\\s+)?marketplace)\\b))",
  show: `(?:\\s+(?:me|us)\\b|(?!\\b.*(?:${SHOWN_PLACE}|\\binstead\\b|\\bby\\s+default\\b|\\bonly\\s+(?:to|when|if)\\b))(?!\\s+an?\\b.*\\b(?:when(?:ever)?|if|while)\\b))`,
  print: "(?!\\b.*\\b(?:paper|printer|copy|copies)\\b)",
  name: "(?=\\s+(?:(?:up\\s+to|at\\s+least)\\s+)?(?:two|three|four|five|ten|some|all|every|a\\s+few|\\d+)\\b)",
  open: "(?=\\b.*\\band\\s+(?:read|show|tell|look|check)\\b)",
  check: "(?!\\s+(?:(?:(?:me|us|him|her|them)\\s+)?in|(?:\\w+\\s+)?(?:out|off))\\b)",
  do: "(?:(?=\\s+an?\\s+(?:\\w+\\s+)?(?:search|check|lookup|review|comparison|count)\\b)|(?=\\s+(?:i|we|you|they|my|our|these|those|any|all|both)\\b))",
  trace: "(?!\\b.*\\bonto\\b)",
  count: "(?!\\s+\\w+\\s+in\\b)",
  pick: "(?!\\s+(?:\\w+\\s+)?up\\b)",
  get: "(?=\\s+(?:the|an?|all|my|me|today|current)\\b)(?!.*\\b(?:to|onto|into|rid|out|done|off|up|over|back)\\b)",
  run: "\\b(?=.*\\b(?:tests?|suite|checks?|lint(?:er)?)\\b)",
  test: "(?=\\s+(?:whether|if|that|the|it)\\b)",
  tell: "(?=\\s+(?:me|us|the\\s+user|wh\\w+|how)\\b)",
  ask: "(?=\\s+(?:the\\s+user|me|us|wh\\w+)\\b)",
  report: "(?=\\s+(?:(?:the|all|your)\\s+)?(?:findings|results?|outcome)\\b)",
  answer: "(?=\\s+(?:(?:the|my|this|these)\\s+questions?|me|us)\\b)",
  confirm: "(?=\\s+(?:that|whether|if|wh\\w+|how)\\b|\\s+.*\\b(?:is|are|was|were|has|have|exists?)\\b)",
  have: "(?=\\s+(?:i|we|you|they|my|our|these|those|any|all|both)\\b)",
};

export const LOOKUP_WORDS: readonly LookupWords[] = [
  {
    begins: `${ENGLISH_VERBS}|what|which|who|whose|when|where|why|how|is|are|am|was|were|does|did|has|any`,
    begins_if: ENGLISH_CONDITIONS,
    polite:
      "(?:can|could|would|will|won['’]t|can['’]t|may)\\s+(?:you|we|u)\\b(?:\\s+mind)?|why\\s+don['’]?t\\s+(?:you|we)\\b",
  },
  {
    begins:
      "zeige?n?|finden?|suchen?|lies|lesen|prüfen?|überprüfen?|kontrolliere?n?|listen?|nennen?|sage?n?|erkläre?n?|vergleichen?|zählen?|fassen?|schau(?:e|en)?|sieh|ermittel[en]|ermittle|ermitteln|bestimmen?|beschreiben?|untersuchen?|was|welche[rsn]?|wer|wen|wann|wo|warum|wie|wieso|wieviele?|hab(?:e|t|en)?|ist|sind|gibt",
    polite:
      "(?:kannst|könntest|würdest|magst|willst)\\s+du|(?:können|könnten|würden|wollen)\\s+(?:sie|wir)|(?:könnt|könntet)\\s+ihr",
    asked:
      "(?:nach|an|durch)(?:sehen|schauen)|ansehen|prüfen|überprüfen|kontrollieren|zeigen|sagen|suchen|heraussuchen|finden|herausfinden|lesen|vorlesen|vergleichen|erklären|zählen|auflisten|nennen|zusammenfassen|ermitteln|untersuchen",
  },
  {
    begins:
      "montre[rz]?|trouve[rz]?|cherche[rz]?|recherche[rz]?|lis(?:ez|te[rz]?)?|lire|vérifie[rz]?|contrôle[rz]?|dis|dites|dire|donne[rz]?|regarde[rz]?|explique[rz]?|compare[rz]?|compte[rz]?|résume[rz]?|décri(?:s|vez|re)|analyse[rz]?|examine[rz]?|détermine[rz]?|identifie[rz]?|quel(?:le)?s?|qui|quand|où|pourquoi|comment|combien|est-ce|y\\s+a-t-il",
    polite:
      "(?:peux|pourrais|veux)-tu|(?:pouvez|pourriez|voulez)-vous|tu\\s+(?:peux|pourrais)|vous\\s+(?:pouvez|pourriez)",
  },
  {
    begins:
      "muestra|muéstrame|mostrar(?:me)?|busca[r]?|busque|encuentra|encontrar|lee[r]?|lista[r]?|comprueba|comprobar|verifica[r]?|revisa[r]?|mira[r]?|dime|decir(?:me)?|cuenta|contar|explica[r]?(?:me)?|compara[r]?|resume|resumir|analiza[r]?|determina[r]?|identifica[r]?|averigua[r]?|qué|cuál(?:es)?|quién(?:es)?|cuándo|dónde|cómo|cuánt[oa]s?|por\\s+qué|hay",
    polite: "[¿¡]*(?:me\\s+|nos\\s+)?(?:puedes?|pueden|podrías?|podrían|quieres)",
  },
  {
    begins:
      "cerca(?:re|mi)?|trova(?:re|mi)?|controlla(?:re)?|verifica(?:re)?|mostra(?:re|mi)?|elenca(?:re)?|legg(?:i|ere)|dimmi|dir(?:mi|e)|guarda(?:re)?|conta(?:re)?|confronta(?:re)?|spiega(?:re|mi)?|riassum(?:i|ere)|analizza(?:re)?|cosa|che|qual[ei]?|quando|dove|come|perché|chi|quant[oaie]",
    polite: "(?:mi\\s+)?(?:puoi|potresti|può|potrebbe|vuoi|potete)",
  },
  {
    begins:
      "procur(?:e|a|ar)|encontr(?:e|a|ar)|verifi(?:que|ca|car)|confira|mostr(?:e|a|ar)|list(?:e|a|ar)|lei[ae]?|ler|lê|dig[ae](?:-me)?|dizer(?:-me)?|vej[ae]|ver|cont(?:e|a|ar)|compar(?:e|a|ar)|explique|explicar|resum(?:a|e|ir)|analis(?:e|a|ar)|pesquis(?:e|a|ar)|o\\s+que|qual|quais|quando|onde|como|por\\s+que|quem|quant[oa]s?|há",
    polite: "(?:(?:você|voce|tu)\\s+)?(?:me\\s+)?(?:pode(?:s|m|ria|rias)?|consegue[s]?)",
  },
  {
    begins:
      "zoek|vind|controleer|toon|lees|zeg|vertel|bekijk|kijk|tel|vergelijk|onderzoek|bepaal|wat|welke?|wanneer|waar|waarom|hoe|hoeveel|wie|is|zijn|heb|heeft",
    polite: "(?:kun|kan|kunt|zou|wil|wilt)\\s+(?:je|jij|u)",
    asked:
      "zoeken|opzoeken|vinden|controleren|nakijken|bekijken|tonen|laten\\s+zien|lezen|zeggen|vertellen|vergelijken|uitleggen|tellen",
  },
  {
    begins:
      "проверь(?:те)?|проверить|найди(?:те)?|найти|покажи(?:те)?|показать|прочитай(?:те)?|прочти|прочитать|скажи(?:те)?|сказать|посмотри(?:те)?|посмотреть|просмотреть|сравни(?:те)?|сравнить|объясни(?:те)?|объяснить|перечисли(?:те)?|посчитай(?:те)?|узнай(?:те)?|узнать|изучи(?:те|ть)?|определи(?:те|ть)?|что|как(?:ой|ая|ие|ое)?|когда|где|почему|кто|сколько|есть|перевір(?:те)?|знайди|прочитай|подивись|порівняй|що|який|яка|які|коли|чому|хто|скільки",
    polite: "(?:ты\\s+|вы\\s+|не\\s+)?(?:можешь|можете|мог(?:ла|ли)?\\s+бы|сможешь|можеш)",
  },
  {
    begins:
      "sprawdź(?:cie)?|sprawdzić|znajdź|znaleźć|pokaż|pokazać|przeczytaj|przeczytać|powiedz(?:ieć)?|wymień|porównaj|porównać|wyjaśnij|wyjaśnić|policz|zobacz|co|jak(?:i|ie|a)?|kiedy|gdzie|dlaczego|kto|ile|czy(?!\\s+(?:możesz|mógł|mogł|może))|zkontroluj|najdi|ukaž|přečti|řekni|kdy|kde|proč|kdo|kolik",
    polite: "(?:czy\\s+)?(?:możesz|możecie|mógłbyś|mogłabyś|może\\s+pani?)|(?:můžeš|můžete|mohl)",
  },
  {
    begins:
      "kontrollera|kolla|hitta|visa|läs|lista|sök|jämför|berätta|förklara|vad|vilk(?:a|en|et)|när|hur|vem|varför|vis|find|læs|søg|tjek|hvad|hvilke|hvor|hvornår|hvem|hvorfor|sjekk|finn|les|hva|når|tarkista|tarkistaa|etsi(?:ä)?|näytä|näyttää|lue|lukea|kerro|kertoa|vertaa|mikä|mitä|milloin|missä|miten|kuka",
    polite: "(?:kan|kunne|skulle|vill?)\\s+(?:du|ni|i)|(?:voisitko|voitko|voisitteko|voitteko)",
  },
  {
    begins:
      "ابحث|اعرض|أظهر|اقرأ|تحقق|أخبرني|قارن|اشرح|اذكر|راجع|ماذا|متى|أين|كيف|لماذا|كم|ما|هل(?!\\s+(?:يمكن|تستطيع|بإمكان))",
    polite: "هل\\s+(?:يمكن|تستطيع|بإمكان)\\S*(?:\\s+أن)?",
  },
  {
    begins:
      "tìm|kiểm\\s+tra|xem|đọc|liệt\\s+kê|cho\\s+(?:tôi|mình)\\s+(?:biết|xem)|so\\s+sánh|giải\\s+thích|đếm|cari|periksa|tampilkan|baca|tunjukkan|apa|kapan|βρες|δείξε|έλεγξε|διάβασε|πες|τι|πότε|πού|ποι[οα]ς?|πόσ(?:α|οι|ες)",
    polite:
      "(?:bạn|anh|chị|em)\\s+có\\s+thể|(?:bisakah|dapatkah|tolong)(?:\\s+(?:anda|kamu))?|μπορείς|μπορείτε|poți|puteți|(?:meg\\s+)?tudn(?:ál|á)",
  },
  {
    begins:
      "(?:看(?!牙|病|医|孩子|家)|瞧|查|找|搜|列(?!入|为|席)|显示|顯示|告诉我|告訴我|知道|了解|问|读|讀|念|阅读|浏览|翻(?:一下|翻|看)|获取|统计|检查|檢查|检索|分析|翻译|总结|比较|比(?=比|一)|对比|解释|说明|理解|确定|确认|核对|核实|数(?=一|数|下|清|出)|计算|算|评估|推荐|建议|选|挑|识别|定位|调查|研究|收集|询问|问(?:用户|我)|介绍|描述|梳理)\\S*|(?:运行|跑).*测试\\S*|把[^，。；]+(?:列|读|念|讲|说|展示|显示|解释|翻译|总结)(?:出来|一下|一遍)?(?:[^，。；]{0,6}给我们?\\S*)?|\\S*(?:什么|什麼|哪|多少|几点|几[个号天次场月]|是否|吗|谁|怎么|为何|为什么|多[久长远大]|有没有|(?<again>\\p{Script=Han})不\\k<again>|没有$|呢$)\\S*",
    polite: "(?:你|您)?(?:能不能|能否|可不可以|可否|可以|能)(?:请)?(?:帮(?:我们?|忙)?)?",
  },
];

/** Orders to write something that the delivery can contain. An order to store it somewhere is recognized as a change first. */
export const WRITES_ANSWER =
  "(?:write|create|make|prepare|compose|schreibe?|erstelle?|mache?|écri(?:s|re|vez)|fais|escrib(?:e|ir)|haz|写|做|生成).{0,24}(?:summary|overview|answer|comparison|list|table|explanation|zusammenfassung|übersicht|vergleich|résumé|resumen|总结|摘要|概述)";

/** Lookups in languages with the verb at the end or in the middle of the sentence. */
export const VERB_FINAL_LOOKUPS = [
  "(?:見せ|教え|調べ|探し|読ん|読む|調べる|探す|見る|確認(?:する|し)|表示(?:する|し)|検索(?:する|し)|一覧|何|どこ|いつ|どの|誰|いくつ|なぜ)",
  "(?:찾아|보여|알려|확인해|읽어|검색해|비교해|설명해|살펴|조사해|조회해|찾기|확인하기|보기|무엇|뭐|언제|어디|누구|몇|어떤)",
  "(?<!\\p{L})(?:(?:kontrol\\s+et|göster|söyle|listele|karşılaştır|incele|açıkla)\\p{L}*|bul(?:un)?|oku(?:yun)?)\\s*[.!?]?$",
  "(?:दिखा|बता|खोज|ढूंढ|ढूँढ|पढ़|जांच|जाँच|देख)",
];

/** Polite questions in these languages. The lookup can be anywhere in the text. */
export const VERB_FINAL_POLITE =
  "(?:もらえ|くれ|いただけ|ください)(?:ます|ません|る|$)|(?:줄|주실|수\\s*있)|(?:ebilir|abilir)\\s*m[iı]|सकत";
