import { expect, test } from "vitest";
import { asksForLookup } from "../../../src/turn/judge/asks-lookup.ts";

const lines = (text: string): string[] => text.trim().split("\n");

/** Requests for a change, most of them in words or languages that are not recognized as orders. */
const CHANGES = lines(`
帮我找个空闲时间安排一个会议
找个空档，把牙医预约放进去
请删除周五的瑜伽课
给小王发一封邮件
提前十分钟提醒我
帮我推迟下午的例会
给 README 加一段说明
看看有没有空，有的话就订下来
修一下这个 bug
找到拼写错误并改正
记一下明天要买牛奶
写一份报告存到 report.txt
找个空闲时间留给我写作
Show the banner on the start page
List my bike on eBay
Check me in for the 9:40 flight
Show a warning when the disk is full
Select the second plan and pay
Decide on a date and invite everyone
Show the delete button only to admins
Count me in for the dinner
能帮我订个会议室吗？
请在周五加一个牙医预约
找个时间跟老板约个会
看完日志后重启服务
找到那个文件删掉
帮我买两张票
把背景色换成蓝色
设个闹钟
帮我清理缓存
取消和小王的午饭
统计一下字数，写进 report.md
空出周一上午
Do the laundry on Friday
Display a banner on the home page
Find a plumber and call her
Bump it, ok?
See that the tests pass and push
Read the mail and reply to Ann
Let's put yoga on Wednesday
Would you mind muting the alarm?
Bump the version to 3
Bring the config up to date
Tidy the imports in main
Get the report over to Bob
Can you get Ada onto the guest list?
Could you sort out my Friday?
Pop the dentist into Tuesday
Jot down the shopping list
Turn off the alarm
Enable dark mode
Migrate the table
Order a pizza
Pay the invoice
Invite Bob
Reply to Ada that I agree
Look at the config and bump it
Find a slot and take it
Read the file, then tidy it
Check the branch and squash it
Free up Friday afternoon
Make Friday free
Let Bob know that I am late
Tell Bob that I am late
Answer Ada's mail
Ask Bob by mail whether he comes
Print the report on paper
Report the bug to the tracker
Aggiorna la configurazione
Manda la mail a Marco
Puoi aggiornare la configurazione?
Potresti spostare la riunione a venerdì?
Atualize a configuração
Você pode enviar o e-mail?
Envie o e-mail ao cliente
Werk de configuratie bij
Kun je de mail versturen?
Verstuur de mail
Обнови конфигурацию
Можешь отправить письмо?
Отправь письмо Бобу
Zaktualizuj konfigurację
Czy możesz wysłać maila?
설정을 업데이트해 주세요
메일을 보내줄 수 있어?
Yapılandırmayı güncelle
Postayı gönderebilir misin?
حدّث الإعدادات
هل يمكنك إرسال البريد؟
Cập nhật cấu hình
Bạn có thể gửi email không?
Uppdatera konfigurationen
Kan du skicka mejlet?
Päivitä asetukset
Voisitko lähettää viestin?
Ενημέρωσε τις ρυθμίσεις
कॉन्फ़िगरेशन अपडेट करो
Bring die Konfiguration auf den neuesten Stand
Kannst du die Mail rausschicken?
Mach den Freitag frei
Räume den Ordner auf
Mets la config en ordre
Tu peux virer la réunion ?
Pon la cita el viernes
¿Me puedes mandar el correo a Ana?
把会议弄掉
能帮我把周五空出来吗
帮我搞定配置
把邮件转给 Bob
設定を最新にして
メールを送ってくれますか
予定を入れてもらえますか？
Оновіть файл налаштувань
Pošli e-mail Bobovi
Trimite e-mailul lui Bob
Küldd el az e-mailt
看牙医前30分钟提醒我
帮我在下周找个上午安排90分钟的写作
Find a slot of one hour on Tuesday and put in a haircut
I need to study 6 hours for the exam
`);

/** Requests to look something up, as goals and as steps. */
const LOOKS = lines(`
帮我找个空闲时间
下周三下午我有空吗
我周末有哪些会议
麻烦找出本周所有超过一小时的会议
想知道明天下午三点有没有冲突
看一下这个文件里有多少行
帮我数一数 src 目录下有几个文件
下个月哪一周最空
我想找一个大家都有空的时间
查询下周二的空闲时段
麻烦你帮我看下后天的日历
这周我忙不忙
从日历里找一个下午的空闲时间
周五下午还有空位没有
把文件内容读给我听
Help me find a free slot this week
I wonder whether I have anything on Monday
What clashes with the dentist?
Do a quick search for TODO comments in src
Is there a conflict between the gym and the standup
Grep for the word deprecated
Open the file notes.txt and read it to me
See whether the tests are green
Search the web for flights to Rome
What do I have today and tomorrow
我下周哪几天比较闲
能帮我看看周二晚上忙不忙吗？
麻烦查一查错误日志
看一下代码里哪里用了这个函数
有几个任务还没完成
把这段话翻译成英文给我看
算算这个月开会花了多少小时
帮我比比这两个方案
列一下所有未读邮件
最近一次修改是谁做的
帮我找出被取消的会议
在第五周找一个没有安排的上午
Is Friday afternoon still free
Show all clashes in week 3
List the meetings with Bob on Monday
Tell me what's wrong with the build and why
Have we anything on Sunday
Can you find a free morning for me?
Count the lines in src
Where is the config and who wrote it?
Read notes.txt and list the open questions
What is on Friday of week 4?
How many files are in src?
Find out why the build is slow
Check that the server answers
Compare the two offers
Which of my meetings clash
Is the port open?
Look through the notes for Ada's address
Run the tests and tell me which fail
Tell me what changed yesterday
Who wrote this module?
Give me a summary of the log
Do I have time on Thursday?
Am I free on Monday morning?
Can I meet Bob on Friday?
Any free slot next week?
I want to know how long the trip takes
I need to know which tests fail
Please look up the address of the dentist
Verify the checksum of the archive
Investigate the crash
Get the weather for Berlin
Fetch the page and extract the title
Work out the total
Summarise the thread in three lines
Explain the error in the log
Show my tasks
Let me know how many turns are left
Could you check whether the mail arrived?
Can you tell me the time?
Would you look at the failing test and explain it?
Help me understand the diff
Read README.md and name the license
Count the lines and list the longest
Recommend a slot
Find a free slot
Locate the definition of add
Choose a slot on Friday morning
Identify the failing test and its cause
Determine the current date
View the calendar of next week
Inspect the folder and read the tests
Confirm the change is there
Run node --test to see the failures
Learn the layout of the project
Understand what the tests expect
See what is in the folder
Welche Termine habe ich am Freitag?
Prüfe, ob der Server antwortet
Finde heraus, warum der Test fehlschlägt
Kannst du nachsehen, ob die Mail da ist?
Zeig mir die offenen Aufgaben
Wie viele Dateien sind im Ordner?
Den Ordner ansehen
Einen freien Termin suchen
Vergleiche die beiden Angebote
周五有什么安排
查看第二周的日程
帮我看看哪天有空
比较两个方案
找一个空闲时段
读取测试文件，找出失败原因
能告诉我现在几点吗
第4周星期五有哪些任务？
¿Qué tengo el viernes?
Busca un hueco libre
Comprueba si el servidor responde
¿Puedes decirme la hora?
Quels sont mes rendez-vous vendredi ?
Vérifie que le serveur répond
Peux-tu me dire l'heure ?
Trouver un créneau libre
Cosa ho venerdì?
Controlla se il server risponde
Puoi dirmi che ore sono?
Trova un orario libero
O que tenho na sexta?
Verifique se o servidor responde
Procure um horário livre
Wat staat er vrijdag op de agenda?
Zoek een vrij moment
Что у меня в пятницу?
Проверь, отвечает ли сервер
Найди свободное время
Покажи мои задачи
Co mam w piątek?
Sprawdź, czy serwer odpowiada
금요일에 뭐가 있어?
빈 시간을 찾아줘
Cuma günü ne var?
Sunucunun yanıt verip vermediğini kontrol et
ماذا لدي يوم الجمعة؟
ابحث عن وقت فارغ
Thứ sáu tôi có gì?
Kiểm tra máy chủ
Vad har jag på fredag?
金曜日の予定は何ですか
空き時間を探してください
サーバーを確認する
शुक्रवार को क्या है?
Τι έχω την Παρασκευή;
Co mám v pátek?
`);

test("a request for a change is never read as a request to look something up", () => {
  expect(CHANGES.filter(asksForLookup)).toEqual([]);
});

test("a request to look something up is recognized in many languages", () => {
  expect(LOOKS.filter((text) => !asksForLookup(text))).toEqual([]);
});

test("a change at the end of a long text is noticed", () => {
  expect(asksForLookup(`Find the words ${"a ".repeat(3_000)}\nWrite report.txt`)).toBe(false);
});

test("a long text without an end is read", () => {
  for (const part of [
    "第一步：然后",
    "then first, ",
    ".",
    "please ",
    "and it them ",
    "check ",
    "get the ",
    "show a ",
    "在里",
    "跟我约",
  ])
    expect(asksForLookup(part.repeat(4_000))).toBeTypeOf("boolean");
});
