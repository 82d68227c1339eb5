/** Given names that are common where our users live, and capitalised words that are no names. Both lower case. */

const GIVEN = new Set(
  `aaron abdul abdullah abigail adam adele adrian adriana agnes agnieszka ahmad ahmed aiko aisha akira alan albert alberto alejandra alejandro aleksandr alessandra alessandro alessia alex alexander alexandra
  alexandre alexei alexis ali alice alicia alina alison alberta alfonso alfred alfredo alina allison alma alvaro álvaro amal amanda amara amber amelia amelie amina amir amit amy ana anastasia anders andre andré andrea andreas andrei andrés andres andrew andrzej andy angel angela angelika angelo anil anita anja
  anjali ann anna annalisa anne anneke annette annika antje anthony antoine anton antonella antonia antonio antónio anwar arjun armand arnaud arthur arturo arun asha ashley astrid audrey august aurora aurélie aurelie ayesha ayumi barbara barry beata beatrice beatriz ben benedikt
  benjamin benoit benoît bernard bernd bernhard bert bianca bilal birgit björn bjorn bob bogdan boris brad bram brandon brenda brian brigitte bruce bruno bryan camila camille carina carl carla carlo carlos carmen carol carolina caroline catarina catherine cathy cecilia cecile cécile celia céline celine cesar césar chantal
  charles charlotte chen chiara chidi chioma chloe chloé chris christa christian christiane christina christine christoph christophe christopher cindy claire clara claudia claudio clemens clément clement colin concetta connor cornelia craig cristian cristiano cristina cynthia damian damien dan dana daniel daniela daniele danielle danilo dario
  darren david davide dawn deborah deepak denise dennis derek detlef diana diane diego dieter dimitri dirk dmitri dmitry dolores dominik dominique donald donna doris dorothea dorothy douglas duncan dylan eduardo edward edwin elaine eleanor elena elias elif elisa elisabeth élise elise elizabeth ella ellen elke
  emil emilia emilie émilie emiliano emily emma emmanuel emre enrico enrique eric erica erich erik erika ernesto ernst esther ethan eugene eva eve evelyn ewa fabian fabien fabio fabrice fatima fatma federica federico felicia felipe felix ferdinand fernanda fernando filip filipa filippo fiona flavia florence florian frances francesca francesco francis francisco françois francois françoise frank franz
  fred frederic frédéric frederik frida friedrich fritz gabriel gabriela gabriele gabrielle gary geert geoffrey george georg georges georgina gerald gerard gerd gerhard gert giacomo gianluca gina giorgia giorgio giovanna giovanni giulia giuliana giuseppe gloria gonzalo gordon grace graham greg gregor gregory greta guido guillaume guillermo gunther günter günther gustav gustavo
  hamza hana hannah hannes hans harald haruka haruto harold harry hassan hector héctor heather hedwig heidi heike heiko helen helena helene hélène helga helmut hendrik henning henri henrik henrique henry herbert hermann hiroshi holger horst howard hugo huda ian ibrahim ida ignacio igor ilse imran ines inês inés inga inge ingrid irene irina iris irma isaac isabel isabella isabelle ismael ivan iván ivana ivo jack
  jackie jacob jacqueline jacques jaime jakob jakub james jamie jan jana jane janet janina janine javier jean jeanne jeff jeffrey jelle jen jennifer jens jenny jeremy jeroen jerome jérôme jesper jessica jesus jesús jill jim jin joachim joan joana joanna joao joão joaquin joaquín jochen joe joel johan johanna johannes john johnny jolanda jon jonas jonathan joost jordi jorg jörg jorge jose josé josef josefa
  joseph josephine joshua josh joyce juan juana judith juergen jürgen julia julian juliana julie julien juliette julio julius jun justin justyna kaan kai karel karen karim karin karina karl karla karolina kasia katarina kate katharina katherine kathleen kathrin kathryn katja katrin kavita kazuki keiko keith kelly ken kenji kenneth kerstin kevin khadija khalid kim kimberly kirsten klaas klaus konrad konstantin krishna kristen kristin kristina krzysztof kurt kyle
  lakshmi lara larissa lars laszlo lászló laura lauren laurence laurent lea léa leah leila lena lennart leo leon leonard leonardo leonie letizia li lian lidia liam lieke liesbeth lily lin lina linda lindsay linus lionel lisa lisbeth livia lorena lorenz lorenzo lotte louis louisa louise luc luca lucas lucia lucía luciana luciano lucie lucy ludwig luis luís luisa luiz luka lukas lukasz łukasz luke luna lydia lynn maarten madeleine madison mads magda magdalena mai maja malik manfred manon manuel
  manuela mara marc marcel marcela marcelo marcin marco marcos marcus marek margaret margarita margherita margit margot maria mária maría mariam marian mariana marianne marie marieke marilyn marina mario marion marisa marit marius marjan mark marko markus marlene marlies marta martha martin martina martín marvin mary maryam masato mateo mateus mateusz mathias mathieu mathilde mats matteo matthew matthias matthieu maurice mauricio maurizio max maximilian maya
  megan mehmet mei meike melanie melissa mercedes mia michael michał michal michaela michel michela michele michelle michiel miguel mihai mika mike mikael mikhail mila milan milena ming miriam miroslav mitchell mohamed mohammad mohammed moira monica mónica monika monique moritz muhammad murat mustafa nadia nadine nadja nancy naomi natalia natalie natasha nathalie nathan neha neil nelson nicholas nick nico nicola nicolas nicolás nicole niels niklas nikola nikolai nils nina nina noah noémie noemi noor nora norbert norma nuno
  olaf oleg olga oliver olivia olivier omar oscar óscar oskar otto pablo pamela paola paolo pascal patricia patricio patrick patrizia patryk paul paula paulina pauline paulo pavel pedro peggy penelope per pernille peter petra philip philipp philippe phillip pia pierre pieter pietro pilar piotr priya rachel rafael rafał raffaele rahul raj rajesh ralf ralph ramon ramón randy raphael raquel rashid raul raúl ravi raymond rebecca regina reinhard renata renate rené renee renée ricardo
  riccardo richard rita rob robert roberta roberto robin rodrigo roger roland rolf roman romain ron ronald rosa rosalie rosario rosemary ross roxana roy ruben rubén rudolf rui russell ruth ryan sabine sabrina sally salma salvatore sam samantha samir samuel sandra sandrine sandro sanjay sanne santiago sara sarah sascha saskia satoshi scott sean sebastian sébastien sebastien selma serena serge sergei sergey sergio shannon sharon sheila shirley sibylle siegfried sigrid silke
  silvia simon simona simone sofia sofía sofie soledad sonia sonja sophia sophie søren soren stacy stanislav stefan stefania stefanie stefano steffen stella stephan stéphane stephanie stéphanie stephen steve steven stuart sue sunita susan susana susanna susanne suzanne sven svenja svetlana swen sylvain sylvia sylvie tadeusz takashi takeshi tamara tania tanja tara tariq tatiana ted terence teresa terry tess theo theodor theresa thérèse thierry thijs thomas thorsten tiago tim timo timothy tina tobias todd tom tomas tomás tomasz tommaso tommy tony
  torsten tracy tristan udo ulf ulrich ulrike umberto ursula uta ute uwe valentin valentina valeria valérie valerie vanessa vera verena veronica véronique vicente victor víctor victoria vijay vikram viktor viktoria vincent vincenzo viola violeta virginia virginie vittoria vivian vladimir volker walter waltraud wanda wayne wei wendy werner wesley wiebke wilhelm will willem william wim wolfgang wout xavier xiao yan yannick yara yasmin yasmine ying yolanda youssef yuki yuri yusuf yves yvette yvonne zainab zara zoe zoé zofia`.split(
    /\s+/,
  ),
)

const NOT_NAMES = new Set(
  `access account action actions active add address admin agent alert all allow analysis android anthropic any apache api app application apps april architecture archive array article asset assets assistant async august auth author authentication authorization auto available aws azure
  back backend backup bad bank bar base bash basic batch bearer beta bin binary board body book boolean boot bot box branch browser bucket buffer bug bugs build builder bundle business button by byte bytes c cache call cancel card case cat center central change changelog channel chart chat check chrome ci
  claude class clean clear cli click client clone close closed cloud cluster code codex col collection color column command commit commits common community company compiler complete component components compute condition config configuration connect connection connector console const container content context continue contributors control
  controller copy copyright core corp corporation count country cpu create created cron cross css csv current custom customer dashboard data database date day de debug december default delete demo deploy deployment description design desktop detail details dev developer developers development device diff digital directory disable disk docker docs document documentation domain done down download draft drive driver dropdown
  duplicate dynamic edge edit editor electron element email empty enable end engine english enterprise entity entry env environment error errors event events example examples exception execute exit export express extension external failed failure false fast february feature features fetch field fields file filter final find firefox first fix flag flow folder font foo footer for form format foundation found framework free friday from front frontend
  full function functions game gateway general generate generator get git github gitlab global go good google graph green grid group groups guest guide handler hash header headless health hello help helper hidden high home hook hooks host hot hours html http hub icon id image images import inc incident index info init input insert inspector install instance int integer integration interface internal international invalid inventory invoice io ios is issue issues item items january java
  javascript job jobs json july june key keys kernel kit kubernetes label labs lambda language large last layout lead left legacy level library license light limit limited line link linux list listen llc load loader local location log logger login logo logs long ltd mac machine mail main maintainers make manage management manager manifest map march markdown master match max may media memory menu merge message messages meta method metrics microsoft middleware migration min minimal minor mobile mock mode model models modern module monday monitor month
  more move multi music mutation my name nav network new news next night no node none not note notes notification november npm null number object october off office offline ok old on online only open openai operation operator option options or oracle order orders organization other out outlet output overview owner pack package packages page panel parameters parent parse parser part pass password patch path pattern payload payment pending performance phone php ping pipeline pixel plan platform play player plugin
  point policy pool popup port portal post postgres power prefix premium preview price print priority privacy private problem process product production products profile program progress project projects prompt property protocol provider proxy public publish pull push python quality query question queue quick random range rate raw react read reader readme ready real record red redirect redis reference refresh region register registry release remote remove render repo report reports repository request requests required reset resource response rest result results
  retry return review right role root route router row rule run runner runtime rust safari sample sandbox saturday save scan schedule scheduler schema scope score screen script scripts sdk search second secret section secure security see select self send sentry september server service services session set settings setup shared shell shop should show sign simple single site size skip slack smart social software solutions some sort source space spec staging standard star start state static status step stop storage store stream street string studio style sub submit success suite summary sunday super support swift switch sync
  syntax system systems tab table tag tags target task tasks team teams template temp term terminal test testing tests text the theme this thread thursday ticket time timeout title to today todo token tool tools top total trace tracker train transaction transform translation trigger true tuesday type types typescript ubuntu ui unit universal unknown update upgrade upload url us usage use user users util utils valid validate validation validator value values variable vector vendor verify version video view viewer views virtual visual vue wait warning watch web webhook website wednesday welcome widget window windows with
  word work worker workflow workflows workspace world write wrong xml yaml year yes you your zone zero team everyone folks there guys friends everybody sir madam both anyone ai gpt gemini copilot bash gym dependabot renovate bot robot gmbh ag srl foundation university institute group ventures partners technologies labs industries holding association society services consulting
  acme globex initech contoso northwind fabrikam umbrella hooli starship enterprise facebook amazon netflix meta nvidia intel amd ibm sap siemens bosch linus's mozilla vercel supabase stripe twilio shopify alle zusammen team leute tous tutti todos todas equipo squadra equipe iedereen allemaal damen herren mesdames messieurs señores senhores signori heren dames
  north south east west street road avenue square highway boulevard lane park bridge station airport river lake mountain city town county state united kingdom republic america europe asia africa`.split(
    /\s+/,
  ),
)

const PARTICLES = new Set(
  `de da do dos das del della di du la le van der den von zu zum ter ten te bin binti ibn al el y e et af av san santa st o' d'`.split(' '),
)

export const isGivenName = (word: string) => GIVEN.has(word.toLowerCase())

const NAME_WORD =
  /^(?:\p{Lu}[\p{Ll}\p{M}’']+(?:['’-]\p{Lu}?\p{Ll}+)*|\p{Lu}['’]\p{Lu}\p{Ll}+|\p{Lu}[\p{L}]+|\p{Lu}\.?(?:-\p{Lu}\.)?|Mc\p{Lu}\p{Ll}+|\p{Lu}{2,}(?:['’-]\p{Lu}+)*)$/u
const TITLE =
  /^(?:mr|mrs|ms|miss|mx|dr|prof|sir|dame|herr|frau|mme|mlle|monsieur|madame|m|sr|sra|srta|don|doña|dott|dott\.ssa|sig|sig\.ra|signor|signora|dhr|mevr|mevrouw|meneer|dra|eng|rev|jr|phd|md)\.?$/i

/**
 * How sure a text of one to five words is a person's name, 0 when it is none. `shape` is certain of nothing: what stands
 * before it (a label, a greeting) has to say that a person follows.
 */
export function nameLikeness(value: string): { words: number; given: boolean; sure: number } {
  const none = { words: 0, given: false, sure: 0 }
  if (value.length < 2 || value.length > 60 || /[\d_/\\@#<>{}[\]()=:;|+*&$%!?"`~^]/.test(value)) return none
  const words = value
    .replace(/^(\S+), (\S.*)$/, '$2 $1')
    .split(/\s+/)
    .filter((word) => word !== '' && !TITLE.test(word))
  if (words.length === 0 || words.length > 5) return none
  let given = false
  let capital = 0
  for (const word of words) {
    const lower = word.toLowerCase()
    if (PARTICLES.has(lower)) continue
    if (NOT_NAMES.has(lower) && !GIVEN.has(lower)) return none
    if (!NAME_WORD.test(word)) return none
    capital += 1
    if (word.length > 1 && lower.split('-').some((part) => GIVEN.has(part))) given = true
  }
  if (capital === 0 || words.every((word) => /^\p{Lu}\.?$/u.test(word))) return none
  if (words.length > 1 && words.every((word) => NOT_NAMES.has(word.toLowerCase()))) return none
  const whole = words.some((word) => word.length > 3) ? 0 : 0.1
  return { words: words.length, given, sure: (given ? 0.9 : words.length > 1 ? 0.6 : 0.4) - whole }
}

export const isKnownNoName = (word: string) => NOT_NAMES.has(word.toLowerCase())
