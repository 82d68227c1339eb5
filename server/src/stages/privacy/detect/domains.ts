const TLDS = new Set(
  `com org net edu gov mil int info biz name pro aero coop museum mobi asia cat jobs tel travel xxx post app dev io ai co me tv cc ws xyz online site store tech shop blog cloud club email live life world work works agency digital design studio media news group team company systems software solutions services network center academy education school university consulting finance bank law legal health care clinic doctor hospital dental fit family house homes land city berlin hamburg koeln bayern wien paris london nyc amsterdam
  ac ad ae af ag al am ao ar as at au aw az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cd cf cg ch ci cl cm cn cr cu cv cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gt gu gw gy hk hn hr ht hu id ie il im in iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc mg mk ml mm mn mo mq mr mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr pt pw py qa re ro ru rw sa sb sc sd se sg si sk sl sm sn so sr st su sv sy sz tc td tg th tj tk tl tm tn to tr tt tw tz ua ug uk us uy uz va vc ve vg vi vn vu yt za zm zw
  internal local lan corp intranet home arpa page link me`.split(/\s+/),
)

/** RFC 2606 and 6761 names, and hosts of documentation. */
const RESERVED = /(?:^|\.)(?:example(?:\.(?:com|org|net|edu|[a-z]{2}))?|test|invalid|localhost|localdomain|example\.co\.[a-z]{2})$/i
const INTERNAL = /(?:^|\.)(?:internal|intern|local|lan|corp|intranet|private|home|home\.arpa|localnet|consul)$/i
/** Names of clusters and containers that every machine has. */
const ORDINARY =
  /(?:^|\.)(?:host\.docker\.internal|docker\.internal|gateway\.docker\.internal|metadata\.google\.internal|svc\.cluster\.local|cluster\.local|svc|containers\.internal)$|^(?:kubernetes|host|gateway|metadata)\.\w+\.internal$/i

export const isReservedHost = (host: string) => RESERVED.test(host)
export const isInternalHost = (host: string) => INTERNAL.test(host) && /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(host) && !ORDINARY.test(host)
export const isTopLevel = (label: string) => TLDS.has(label.toLowerCase()) || /[\u0080-\uFFFF]/.test(label) || label.startsWith('xn--')
