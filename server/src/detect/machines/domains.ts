const TLDS = new Set(
  `com org net edu gov mil int info biz name pro aero coop museum mobi asia cat jobs tel travel xxx post app dev io ai co me tv cc ws xyz online site store tech shop blog cloud club email live life world work works agency digital design studio media news group team company systems software solutions services network center academy education school university consulting finance bank law legal health care clinic doctor hospital dental fit family house homes land city berlin hamburg koeln bayern wien paris london nyc amsterdam
  ac ad ae af ag al am ao ar as at au aw az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cd cf cg ch ci cl cm cn cr cu cv cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gt gu gw gy hk hn hr ht hu id ie il im in iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc mg mk ml mm mn mo mq mr mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr pt pw py qa re ro ru rw sa sb sc sd se sg si sk sl sm sn so sr st su sv sy sz tc td tg th tj tk tl tm tn to tr tt tw tz ua ug uk us uy uz va vc ve vg vi vn vu yt za zm zw
  wales scot cymru irish quebec bzh eus gal codes engineering engineer technology tools computer foundation institute international global expert guru ninja rocks wiki page pages plus zone space place fun art music photo photos photography gallery video movie film games game sport golf yoga fitness run bike auto cars car taxi flights holiday hotel restaurant cafe pizza bar beer wine coffee kitchen recipes garden farm green eco earth energy solar science bio pharmacy surgery vet dentist insurance loans credit capital fund money cash gold investments holdings ventures partners management enterprises industries company business trade trading market marketing sale sales shopping gifts gift toys fashion style clothing shoes jewelry beauty hair salon moda build builders construction contractors plumbing repair cleaning properties property estate realestate rent apartments villas casa immo haus wohnen reise reisen gmbh ltd llc inc srl limited kaufen versicherung ruhr saarland nrw tirol swiss vlaanderen brussels gent amsterdam frl stockholm helsinki moscow istanbul ist tokyo osaka nagoya kyoto okinawa sydney melbourne boston miami vegas africa capetown durban joburg rio lat arab desi tatar krd asia eu one two red blue pink black vip top win best cool ink wtf lol ooo moe fyi help guide support services directory link links click host hosting server website webcam chat social community network family kids baby mom dad love dating singles wedding party events tickets show theater camp church faith bible charity gives ngo ong republican democrat vote army navy security protection safe democrat exchange report review reviews press news today post express delivery supply supplies equipment parts tires glass furniture lighting flowers florist pet dog cat fish horse dev app foo zip mov nexus prof phd esq dad
  internal local lan corp intranet home arpa page link me`.split(/\s+/),
)

/** RFC 2606 and 6761 names, and hosts used in documentation. */
const RESERVED = /(?:^|\.)(?:example(?:\.(?:com|org|net|edu|[a-z]{2}))?|test|invalid|localhost|localdomain|example\.co\.[a-z]{2})$/i
const INTERNAL =
  /(?:^|\.)(?:internal|interne|interno|interna|intern|lokal|homelab|local|lan|corp|intranet|intra|private|priv|ad|home|home\.arpa|localnet|localdomain|consul|fritz\.box|speedport\.ip|router\.lan|box)$/i
/** Host names that every cluster or container has. */
const ORDINARY =
  /(?:^|\.)(?:host\.docker\.internal|docker\.internal|gateway\.docker\.internal|metadata\.google\.internal|default\.svc\.cluster\.local|kubernetes\.default\.svc\.cluster\.local|kube-system\.svc\.cluster\.local|svc|containers\.internal)$|^cluster\.local$|^(?:kubernetes|host|gateway|metadata)\.\w+\.internal$/i

/** `db1.intra.acme.fr`: the word is followed by a private domain. */
const INNER =
  /^(?:[a-z0-9-]+\.)+(?:corp|intra|intranet|internal|intern|lan|priv)\.(?!(?:svc|cluster|docker|google)\b)[a-z0-9-]{2,}(?:\.(?:co|com|org|ac|gov|net))?\.[a-z]{2,10}$/i

export const isReservedHost = (host: string) => RESERVED.test(host)
export const isInternalHost = (host: string) =>
  (INTERNAL.test(host) || INNER.test(host)) && /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(host) && !ORDINARY.test(host)
export const isTopLevel = (label: string) => TLDS.has(label.toLowerCase()) || /[\u0080-\uFFFF]/.test(label) || label.startsWith('xn--')
