/** Given names of many countries in Latin letters without accents, lower case, sorted; those that are also common words are left out. Gathered from the lists of Faker (MIT) and our own. */
export const GIVEN = `
  aaaqil aaban aabid aachal aada aadam aadhya aadi aadil aafiya aage aahana aahil aalam aalee aalim aaliyah aamil aamir aamirah aanuoluwapo
  aapo aaqil aarav aarif aarini aariz aarna aarnav aarne aaro aaron aarush aaryan aashi aashif aashir aasif aasim aatif aatiq aatos aaus
  aayan aayush aazim aba abaan abayomi abbas abbey abbi abbie abbos abby abdalla abdallah abdelatif abdelkader abdellah abderaouf
  abderrahman abderrahmane abdi abdihakim abdirahman abdis abdon abdoulaye abdu abduaziz abduboriy abdul abdulahat abdulaziz abdulbekir
  abdulcemal abdulgazi abdulhadi abdulhamid abdulkadir abdulkerim abdullah abdullahi abdulloh abdulmenaf abdulrahman abdulsamed abdulsemet
  abdumalik abdurahmon abdurrahman abdurresit abebe abebi abednego abeer abeiku abel abelardo abelone abena abeni abha abhimanyu abhiram
  abid abigael abigail abigaili abilio abina abiodun abiona abiye abjorn ablen abner abosede abraham abram abril abror abubakar abubakr
  abuzar abyasa acar acarkan achiel achieng achille achim acikel acilay aclan adaeze adak adal adalbert adalberto adam adamina adamo adams
  adan adasal addison ade adean adebayo adebiyi adebowale adebukola adedayo adedeji adekitan adekola adekunle adel adela adelaida adelaide
  adelardo adelasia adelbert adele adeleke adelgunde adelheid adelia adelin adelina adelinde adeline adelmo adem aden adenike adeniyi adeolu
  adeoti adepeju aderopo adesewa adeshina adesoji adesua adetayo adetoke adetoun adeyi adhiarja adhra adi adia adiarja adiela adigun adika
  adikara adil adila adimu adina adinata adis aditya adlan admir adnan adolf adolfine adolfo adolfs adolphe adomas adonis adora adoracion
  adra adriaan adrian adriana adriane adriania adrianna adrianne adriano adrien adrienn adrienne adrija adrijana adriyan adunni advaith
  advay advik advika adviye adweta adwoa adya aedan aedin aela aengus aenne aerozol afanasiy afaq afer aferdita afia afife afil afinogen
  afiq afolarin afonso afra africa afrim afruza aftin afua aga agafon agafya agahadi agakisi agamali agamusa agap agapi agapito agapiy
  agastya agata agatha agathe agatopod agaxan agbegim agca aggey aggrey agim aglaia aglay aglaya agloida agmur agne agnen agnes agnesa
  agnese agnesh agneshka agneta agnete agnieszka agnolo agnos agop agostina agostino agripina agris agron agtsi agueda agus agustin agustina
  ahat ahmad ahmed ahmet ahsen ahter ahti aicha aida aidan aideen aiden aiga aigars aija aijuka aiko aila ailbhe aileen aili ailis ailish
  aimable aime aimee aimo aina ainara ainars aine aino ainoa airi aisha aishani aishling aisling aislinn aissatou aistis aisyah aitana aitor
  aivar aivaras aivars ajala ajan ajani ajda ajeng ajiman ajimat ajimin ajiono ajla ajna ajoke akalan akanmu akar akarsana akashiya akatay
  akay akbar akbas akboga akcabay akcasu akcivan akdora akdurmus ake akemi akgol akgunes aki akif akihiro akiko akim akinal akinkunmi
  akinlabi akinwale akinyi akira akise akkerman akmal akmaner akmaral akobir akos akosua akoth akoz akram aksakusti aksay aksel akseli
  aksentiya akshay aksidan aksintiya aksogut aksoy aktemur akua akulina akumaa akumu akver akwasi akwesi akyildiz alaaddin alabezek alade
  aladin aladino alaeddin alain alambana alamiro alamu alan alana alanalp alanis alaniya alanna alannah alara alastair alattin alaz alba
  alban albano albeiro alberico albert alberta alberte albertina albertine alberto alberts albin albina albino albiyana albrecht albulena
  alcan alcides alcira aldair aldemar alderano aldin aldis aldo aldonza ale alea alec aleg aleida aleisha aleix alejandra alejandrina
  alejandro alejo alek aleks aleksandar aleksander aleksandr aleksandra aleksandras aleksandrina aleksandrs aleksanteri aleksei aleksej
  aleksey aleksi aleksia alekzandriyan alemsah alena alenka aleodor ales alessandra alessandro alessia alessio alevandr alevtin alevtina
  alex alexa alexandar alexander alexandr alexandra alexandre alexandria alexandrie alexandrina alexandros alexandru alexe alexei alexej
  alexi alexia alexis alf alfio alfons alfonsina alfonso alfonz alfred alfredo alfreds algirdas algis algot ali aliabbas aliana alica alicia
  alicja alida aliihsan alika alin alina aline alinur alirio aliro alis alisa alise aliseydi alisha alisik alisiya alison alissa alisson
  alistair alistar alister alix aliya aliyu alize alizee alja aljaz aljosa alka alkor alla allahverdi allan allana allegra allen allison
  alma almasi almast almaz almendra almir almira almudena almus almut almuth alois aloisia alojz alojzia alojzij alojzija alondra alonso
  aloys aloyse alparslan alpcan alphonce alphons alphonse alphonsus alpin alpsu alsoy alta altaya altin altinbike altincicek altinisin
  altinkaya altogan altug alva alvar alvaro alve alveiro alvin alvine alwin alwina alwine aly alya alyssa alzbeta alzina ama amac amada
  amadeo amadeus amado amador amahle amaia amaira amalia amalie amalija amaliya amancio amanda amandeep amandine amando amani amar amara
  amarachi amarilis amarjeet amaro amaru amaury amaya ambar amber ambr ambre ambrose ambrosio ambroz amedeo amedeu amel amela amelia amelie
  amelija america americo ami amico amie amilcar amina aminata aminatu amine amir amira amit amleto amoke amol amon amondi amope amor
  amoriya amos amparo amr amra amre amri amrita amruta amvrosiy amy amza ana anabel anabela anabella anacleto anaelle anahera anahi anahis
  anaida anais anamaria anamariya anamika anand ananiy anar anargul anaru anas anasa anastacia anastasia anastasie anastasio anastasios
  anastasiya anastatia anastazie anastazja anatol anatoli anatolie anatolij anatoliy anatoliya anay anca ancizar ancuta anda andela anders
  andic andika andile andjela andjelina andor andra andrada andras andrea andreas andree andreea andrei andreia andrej andreja andrejka
  andrejs andrena andres andress andrew andrey andri andrian andriana andrija andrin andrina andris andrius andriy andron andronik andrus
  andrzej andwele andy ane anej anel anelina anemona anes aneta anete anett anette anezka angalia angavu ange angel angela angele angeles
  angelica angelika angelina angeline angelino angelique angelita angelka angelo anggabaya anghel anghelina angie angus anh ani anibal anica
  anicet aniela anika aniket anikey anikita aniko animira anina anirudh anis anisa anisim anisoara anissa anita anitsa anja anjali
  anjolaoluwa anka anke ankheya ankica ankit ankita anmol anna annabel annabell annabella annabelle annah annak annalena annaliese annalisa
  annalise annamaria annamarie annastacia anne annedore annegret annegrete annekatrin anneke anneleen annelene anneli annelie annelies
  anneliese annelise annelore annemarie annemette annemie annemijn annerose annet annett annetta annette anni annibale annica annick annie
  anniina annija annika annikki annina annita annukka annunziata anny anomaliya anoni anouk anri ansaldo anselm anselma anselmo ansgar ansh
  ansis ansora anssi antal antanas ante antero anthony antim antip antje anto antoalina antoaneta antoin antoine antoinette anton antonela
  antonella antonello antoni antonia antonie antonieta antonietta antonija antonin antonina antonino antonio antonios antoniu antonius
  antoniy antons antony antoon antra ants antti antun anu anunciacion anup anusha anuta anvar anvi anya anyango anyelo anyi anza anze
  anzhela anzhelika aodhan aoibheann aoibhin aoibhinn aoife aongus aparna apaydin apisara apolena apolinar apolinariya apollinariy apolline
  apollo apollon apollonia apolonia apostolos april aqil aquiles arabella araceli aracely aradhana aral araliya aranka aranzazu aras arash
  arben arbey arbnor arcan arcelia archana archer archie arda ardian ardit ardita arefiy arezki argemiro argono argu arham ari ariadna arian
  ariana ariane arianna arianne aribert arie ariel ariela ariele arif arifcan arija arijus arike ariki arikol arild arin arina arinola
  aripinar aris arisara arisoy aristarkh aristide aristides aristita arja arjun arkadiusz arkadiy arkadiya arkhip arkut arlene arlet arlette
  arley arlind arlinda arlo armahan arman armand armandas armande armando armands armas armelle armend armida armin arminas arnaldo arnas
  arnau arnaud arnaude arnd arndt arne arnfried arnim arnis arno arnold arnoldas arnoldo arnolds arnost arnulf arnulfo aroa aroha aron
  aronas arpad arpag arran arron arsen arsena arsenie arsenio arseniy arsim arsipatra arta artan artanto artawan artem artemio artemisa
  artemiy arthur artis arto arttu artturi artur arturas arturo arturs aru arunas arunima arusi arvid arvids arvind arvo arvydas arya aryan
  arziye arzu asa asad asafe asake asalet asali asani asanti asatira asbjorn ascension asdrubal ase aselina asger asha ashan asher ashlee
  ashleigh ashlene ashley ashling ashton ashwin asia asif asifa asila asilbek asim asiman asir asirwada asirwanda asko askold aslan aslanhan
  aslijan asliye asma asmadi asman asmau asmianto asmini asmira asmuni assar assia assumpta assunta asta aston astrid astride astrit
  astromeriya asu asuka asuncion aswani ataahua atabala atagun atalay atamoglan atanas atanur atasagun atatore atena atenulf atfat atgun
  athanasios atharv atheel athman athuman athumani ati atiena atieno atila atilgan atilhan atilio atina atinuke atit atiyye atma atmaja
  atnan atsushi attaf atte attila attracta aude audrey audrius august augusta augustas auguste augustin augustina augustine augusto augusts
  aukusti aulikki aulis aune aunyaporn aura auraq aurea aureja aurel aurelia aurelian aureliana aureliano aurelie aurelien aurelija aurelio
  aurica aurimas aurora aurore ausma ausra ausrine austin austine austra ava avdey avel avelino aver averil averkiy averno averyan avgiya
  avgust avgustian avgustin avigeya avinash avksentiy avni avo avram avreli avreliy avril avror avsin avtonom avtorka avunc awadil awamil
  awamiri awan awani awero awesi awhina awj awlya awmar awrad axel axelle axenia axinte aya ayaan ayaka ayako ayamin ayan ayasun ayaydin
  aybet aybora aycagul aycan aydan aydar aydemir ayden aydin aydinbey aydinc ayduru ayelen ayesha aygonenc aygul aygun aygutalp ayhan ayinde
  ayinke aykut aykutalp ayla ayleen aylil aylin aylla ayman aymen aymeric aynilhayat aynimah aynur ayodeji ayodele ayoka ayoub aypar ayren
  aysan aysar ayse ayseana aysel aysema aysenur aysevim aysoy aysu aysuna aytek ayten aytoz aytuna ayu ayub ayulker ayush ayushman ayvas
  ayyaruk ayyubi azaan azad azade azadeh azahar azahara azalea azaliya azar azariy azban azeeb azeglio azeneth azettin aziz aziza azize
  azizi azra azucena azuolas baaba baahir baaizeed baaqee baaqir baaree baashir baasim baasit baba babak babar babasola babatunde babatunji
  babawale baber babett babette baccio bachittar badawi badegul badr bagas bagdas bagdat baghyawati bagiya bagra bagus bagya baha bahaa
  bahaddin bahadir bahadurjit bahari bahati bahittin bahiy bahram bahtinur bahuraksa bahuwarna bahuwirya baiba bailey bailie bairbel bairbre
  bairon bajragin bajram bakari bakda bakhshi baki bakiadi bakianto bakidin bakijan bakiman bakiono bakti baktiadi baktianto baktiono bala
  balamantri balangga balapati balatekin balaxanim balazs balca baldassare baldomero balduino baldur bale baleegh balendra balhaar bali
  balidin balijan balina balinda balint baljiwan balli baltas baltasar baltazar balthasar balvan balveer balwinder balz bambad bambang
  banara banawa banawi bancar bandile banel banjeet banu bao baptist baptiste baqar baqir bara barak baraka barasa barbara barbel barbora
  barbro barbu barica baris bariscan barkha barna barnabas barraq barry barsen bartek bartholomaus bartholomew bartley bartolome bartolomej
  bartolomeo bartolomeu bas basaam basarab basay baseer basel basem bashaar bashaarat bashan bashar basharat basheer basheerah bashkim basil
  basile basilio basim basir basok basriye bassam bastiaan bastian bastien batal batirhan batool batsislava baturay baudelio baudouin
  bautista baydu baykan bayman bayram bayron bayruhan baytal bayzettin bazam bazhen beat beata beate beatrice beatrijs beatris beatrix
  beatriz beau beauden bebe becho becky beda bedi bediriye bedri bedrich begim begona behbud behiza behnam behrem behrouz behruz bekbay
  bekim bekir bektasi bela belarmino belen belgizar belinda belisario belisima belkize bella bellisan bello belo belomira ben benadik benard
  benas bence bendeguz benedek benedetto benedict benedicte benedicto benedikt benedikte benedita benek benelena bengibay bengt beni
  beniamin benice benicio benigna benigno benita benito benjamim benjamin benn benno benny benoit benol benone benson bent benta bente
  benthe bento benvenuto beppe berat beray beren berend berends berengere berenice berezat bergen berimir berin berislava berit beriya
  beriye berkal berki berksay bernabe bernadett bernadette bernadine bernard bernarda bernardino bernardita bernardo bernd berndt bernfried
  bernhard bernhardine bernice bernt bernward bero beroslav berra berran berrin bert berta bertalan bertha berthe berthold bertil berto
  bertold bertram bertrand bertulis beryl besart besarta besey beshte besim besin besnik beste betania beth bethan bethany betina betino
  bett betti bettina betty bevan beverley beverly beya beyda beyhatun beyler beyzade bezek bhanumati bharat bhavani bhavika bhavini bhavna
  bhavya bhekani bhekisisa bhekizizwe bhekokwakhe biagio bianca bianka bibi bibiana bibisora bibuwa bican bidayet bieke biel bienvenida
  bijan bilaal bilal bilay bilena bilender bilgen bilginur bilgutay bilha biljana bilkay bilkisu bill billy bilol biltas bilyan bimala bina
  binay binbasar binisik binko bino bintou birben birger birgid birgit birgitt birgitta birgitte birgul birousk birsan birsen birte birthe
  biruta bisar bisenti biser bisera biserka bishakha bitten bitul biyanka bizhan bjarne bjorg bjorn bladimir blagitsa blago blagodatka
  blagomir blagosvet blagosveta blagovest blagoy blahoslav blaine blair blake blanaid blanca blanche blandine blanduzia blanka blas
  blathnaid blaz blazej blazena blazhe blerim blerina blerta bluette boaz boban bobby bobur bodhi bodil bodo bodromir bodurka boe boel bog
  bogatimur bogdalina bogdan bogdana bogdanna boginya boglarka bogodar bogolyub bogomil bogomir bogorodka bogoslav bogoy boguslav boguslava
  bohdan bohdana bohumil bohumila bohumir bohus bohuslav bohuslava boil boila bojan boje bolatito bolen boleslav boluwatife boma bonface
  bongani bonifac boniface bonifacio bonifatsiya bonislav bonko bonnie bono bonu borahan boram boratas borbala borche borena borge boris
  boriska borislav borivoj borja borje borris bortecin borut boryanka borys bosibori bostjan botond botsa bouchra boyan boycho boyko boynak
  bozbag bozena bozerk bozhan bozhidar bozhidara bozhik bozhimir bozhin bozhinel bozhinela bozhko bozho bozhur bozhurka bozica bozidara bozo
  boztas brad bradley bradut brady brahim bram bramwel brandi brandon brandusa brandy branislav branislava branka branko braulio bravin
  braxton brayan brayden breandan breanna brecht breda breeda breege breffni brencis brenda brendah brendan brendon breno brent bretislav
  brett brian briana brianna brice brid bridget bridgit bridie briek brien brieuc briget brighid brigid brigida brigita brigitta brigitte
  brijesh brilyant brinda brit brita britney britt britta brittany brittney brodie brogan brona bronach bronagh bronislav bronislava bronwen
  bronwyn brooke brooklyn bror bruce bruna brunhild brunhilde bruni brunilda bruno bryan bryce bryony brzana bucha bucur budi budimir
  buenaventura buget buhari bujar bukurije bulunc buna bunmi bunyamun buraid burak burakhan burc burckhard burcuhan bureyre burghard burim
  burkard burkhard burkhardt busara busisiwe busra busranur buyrukhan byron bystrik cabbar cabir cacilia cacilie caetana caga cagak cagdan
  cager caglar caglasin cagveren cahal cahan cahangir cahir cahya cahyadi cahyanto cahyo cahyono cailin cailum caio cait caitlin caitlyn
  caitriona caius cajsa cakar caket cakirca cakrabirawa cakrabuana cakrajiya cakrawala cakrawangsa cal calcedonio caleb calebe calim calin
  calista calisto calixta calixto callan callum calogero calti calum calvin calvince camelia cameron camil camila camilla camille camillo
  camillus camilo camok campbell campo canal canan canberk candace candelaria candelario candeniz candice candida candido candra candrakanta
  canfeza cangur canice cannur canseven cansin cantemir cantez canur caoilfhionn caoimhe caoimhin caolain caolan caomhan capa capkan
  capucine cara caragh caraka caren caridad carin carina carine carita carl carla carlijn carlito carlo carlos carlota carlotta carly carmel
  carmela carmelita carmelo carmen carmenza carmina carmine carminho carol carola carole carolien carolin carolina caroline carolyn carolyne
  carren carrie carsten carter carub cas casandra casemiro casey casian casiana caspar casper cassandra cassidy cassie cataleya catalin
  catalina catarina caterina cathal catharina catherina catherine catheriona cathleen cathrin cathrina cathrine cathriona cathy catia
  catinca cato catrin catrina catrine catrinel catriona catur caturangga caua caue cavad cavid cavit cavuldur cawisadi cawisono cawuk cayadi
  cayetana cayetano cazimir ceara cebesoy cebrian cecelia cecep cecil cecile cecilia cecilie cecilija cecilio cecille cedide cedric cedrin
  ceferino celal celem celene celeste celestin celestina celestine celestino celia celikkan celikyurek celilay celina celinda celine celso
  cem cemal cemalettin cemani cemeti cemil cemiyle cemplunk cenan cengiz cengkal cengkir centa centrine cerasela cerci cercis cesar cesare
  cetin cetinsu cevale cevheri cevikoz cevregul ceyhun ceyla ceylin ceyran cezar cezara cezary cezayir chaaya chabane chachiya chacho chad
  chaewon chaifah chaitaly chaitanya chaiwut chakradev chakradhar chakrika chalisa chamali chaman chameli champak chana chanakya chanchal
  chandan chandani chandra chandran chandresh chanez chang changaz changming chanikan chaniya chankete chanko chano chantal chantel
  chantelle chanya chao charan chardafon chardafona charis charita charity charlene charles charlesh charline charlott charlotta charlotte
  charly charmaine charo charodey charos charvi chase chashida chasmum chatresh chatura chau chaush chausiki chavdar chavvi chawin chawish
  chayanin chayapat chebet chedo chedomir chege cheikh chelangat chelo chelsea chelsey chema chen cheng chenko chenyu chepkemoi chepkoech
  chepkorir chepo cheragh cheresha cherie cherif cherith cherno chernorizets cherotich cheruiyot cheryl cheslav chetvrta cheusi cheyenne
  chia chiamaka chiang chiara chibuzo chidi chidimma chieh chien chigozie chih chihiro chijioke chiko chilo chin chinedu chinelo ching
  chinyere chipo chipukizi chiraz chita chiu chiyo chizoba chka chloe chocho chochomir chona chonar choni chono chonyu chris christa
  christabel christel christelle christer christiaan christian christiana christiane christianne christie christin christina christine
  christl christof christofer christoffer christoph christophe christopher christos christy chu chuan chubrik chubrina chucho chude chudo
  chudomir chudoslav chuk chuki chukwudi chukwuemeka chun chung chunhua chus chuy chvor cian cianan ciaobella ciara ciaran ciarrai cici
  cidal cielo cihan cihandide cilga cilli cillian cilly cimnaz cindoruk cindy cinerk cingiz cinta cinthia cinthya cintia cinzia ciprian
  cipriana cipriano ciriaco ciril cirillo cirino cirkeline ciro cisem citlali citra civgin claas claes clair claire clara clare clarence
  clarice clarisa clarissa clarisse clark clas claudette claudia claudie claudina claudine claudio claudiu claudius claudy claus clavs
  clayton clelia clemence clemencia clemens clement clemente clementina clementine cleopatra cleophas cleto clifford climaco clinton
  cliodhna cliona clive clodagh clodomiro cloe clorinda clothilde clotilde codie codin codrin codrina codrut codruta cody cogay cohen cokan
  cole coleman colette colin coline colins colleen collette collin collince collins colm colman colomba colpan colton coluccio colum columba
  conal conall conan concepcion concepta concetta concha conchita conchur conleth connell connie connor conny conor conrad conradin conrado
  consolata constanca constance constanta constantin constantina constantino constanza constanze consuela consuelo cooper copur cora coral
  coralia coralie coraline cord cordula corentin corey corina corine corinna corinne coriolano cormac cormack corneille cornel cornelia
  cornelio cornelis corneliu cornelius corona corrado corrie corsin cortney corvin cory cosima cosimo coskun cosmas cosme cosmin cosmina
  cosqun costache costantino costanzo costel costin courteney courtney craig crenguta crescencia crin crina cristal cristea cristhian
  cristhofer cristian cristiana cristiano cristina cristobal cristofer cristofor cristopher cruz crystal csaba csilla csongor ctibor ctirad
  cuheyna cuman cumsud cuneyit curdin curro curt curtis custodia custodio cvetka cvetko cynthia cyprian cyriel cyril cyrill cyrille cyrus
  czeslaw daamin daan daanish daanyaal daawood dabbah dabir dace dacian daciana dacin dadap dadas dadi dafina dafinka dafne dagel daghfal
  dagistan dagmar dagmara dagny dagobert dagoberto dahiana dai daiana daichi daiga daina dainess dainis dainius daire dairine dairo daisuke
  daisy daiyaan dajana dakhil dakota daksh daksha dakshesh dalaja dalan dalbir dale daler dalia dalibor dalila dalili dalima daliman dalimin
  daliono dalkilic dalmas damar damaris dameer damian damiano damien damienne damife damijan damini damir damjan damjana damlanur damon damu
  damurah damyana damyanti dan dana danae danang dancan danche dancun danelina dani dania danica daniel daniela daniele danielius daniella
  danielle daniels danijel danijela danila danilo danimira danique danis danish daniswara danitsa danitza danjuma danka danna danny danson
  dante danu danuja danuse danuta dany daphne dara daragh darain darcy dardan dardanela daren daria dariana dariati darija darijan darika
  darimin darin darina darinka dario daris darius dariush dariusz dariya darja darko darlene darling darmaji darman darmana darmanto darpan
  darragh darran darrell darren darrin darryl darryn darsh darsirah darta dartono daru daruna dary darya daryani daryl dasa dastageer daud
  daudi dave davi david davida davide davin davis davnet davor davorin davoud davy davyd dawid dawit dawn dawud dayamai dayana dayar dayita
  dayna dayyaan dea deaglan dean deane deanna dearbhail dearbhaile dearbhla debbie debby debora deborah deborrah debra decebal dechko decho
  dechyu declan deepa deepika deflorina deger degmeer deha deiby deicy deidre deirbhile deirdre deisy deividas dejan delcho delfin delfina
  delfino delia deliana delil delphine delya delyan delyana dementiy demeter demetra demetrio demi demian demid demilade demir demirbuken
  demirela demiriz demirok demiryurek demyan dencho denes deniandra deniis denika denimir denis denisa denise denislav denislavena denisse
  deniyan deniz denizalp denkel dennis dennitsa denny derdidas dereck derek derick derkay derly dermot dermott derrick derval dervilla
  dervla derya deryanur desho desiderio desilian desimilyana desimir desiree desislav desiyana deslav desmond despin despina despinka despot
  destiny detelin detlef detlev devansh devi devika devin deviner devon dewi deya deyan deyanira dezider dezso dhriti dhruv diah diamandi
  diamantina dian diana dianah diane diann dianne diar diarmaid diarmuid dick dickson dida didier didina didko diederik diedrich diego dierk
  dieter diethard diethelm diether dietlind dietlinde dietmar dietrich digdaya digna dijana diken diko dilan dilara dilcan dilder dildora
  dilfeza dilhus dillon dilmana dilnoz dilnur dilsad dilsat dilsitan dilyan dimas dimaz dimitar dimitra dimitri dimitrina dimitrios dimka
  dina dinah dincer dinckol dincsu dinda dinesh dinis dinna dino dinu diogo dion dionigi dionisia dionisio dionne dionyz dipa dipta dirican
  dirja dirk dirlik dismas dita ditmar ditte dittmar divan divil divizie diviziya divya diya diyor diyora djamel dmitri dmitriy dmitro
  dobrina dobromila dobromysl dobroslav dobroslava docha dochia dodo dogan doganalp dogannur dogansah doguhan doina dolensoy dolly dolores
  dolphine dolun domagoj domantas domas domen domenica domenico domenika domhnall dominga domingo domingos dominic dominick dominik dominika
  dominique dominyka dominykas domitila domnica dona donagh donal donald donat donata donatas donatella donatello donato doner donghyun
  dongmei dongwook donika doniyor donna donnacha donncha dono donough donovan dora doralisa dorcas dorcus doreen dorel dorian doriana dorien
  dorin dorina dorine dorinel doris dorit dorita dorle dorli dorofey dorota dorotea doroteja dorothe dorothea dorothee dorothy dorottya
  dorte dorthe doru dorukhan dosta douglas dounia dovile dovud dovydas doyinsola doyka draga dragan dragana dragica dragitsa drago dragos
  dragutin drahomir drahomira drahoslav drahoslava drajat drazen drenka drew dries drilon drita driton duane duarte duban duc ducu duda duha
  duilio duje duke dulce duma dumisani dumisile dumitra dumitrana dumitru duncan dundaralp dung dunia dunja dunya dunyamali dunyo duong
  durab duracan durante durdali durdica durdona durgadin durmusali durna duro durodola durrusehvar dursadiye dursun duruk duruoz dusan
  dusanka dushan dushka dustin duuk duvan duyen duyguhan dwayne dwi dylan dylano dymphna dympna dyukyana dzhana dzhaner dzhanko dzhikhad
  dzhinevra dzhon dzhuliya dzidra dzintars dzintra eadaoin eakumbu eamon eamonn eanna earl eavan eba ebba ebbe eberhard eberhardt ebony
  ebrahim ebuakil ebuka ecaterina ecegul ecemis eckard eckart eckehard eckhard eckhardt eckhart ecrin eda edaviye edda eddah eddie eddy edel
  edelbert edelgard edelmira edelmiro edeltraud edeltraut edeltrud eden eder edgar edgaras edgard edgardo edgars edgubay edhitha edier
  edilberto edilma edilson edin edina edinah edinson edison edisson edita edite edith editha edmond edmund edmundo edmunds edna edoardo edon
  edona edouard edryu edson edu eduar eduard eduarda eduardo eduards edvard edvardas edvin edvinas edvins edwar edward edwin edwina eelis
  eemeli eemil eerik eero eesaa eesha eetu eeva efe efil efim efimena efka eflatun efrain efrem efren efrosiniya efser eftimia eftimie ega
  egbert egenur eggert egidijus egil egils egle egon egor egzon egzona ehan ehrenfried ehrentraud ehrhard ehsaas ehsan eider eidvile eija
  eijaz eiji eila eileen eilis eilish eimantas eimear eimer eimhear einar einari einer eino eira eiravati eirik eitel eithan eithne eivind
  eivor eja ejaz ejlaal eka ekaja ekalinga ekani ekansh ekanta ekantika ekapad ekaraj ekaterina ekavir ekbal ekber ekene ekim ekiya ekkehard
  ekkehart ekmel eko ekow ekrem ekta ektar ektor ekundayo ekundu ela eladio elaf elaine elamiye elariz elba elcin elcira elcy elda eldar
  eldon eldora elea elean eleanor eleanora eleazar elektron elemag elemer elena eleni elenitsa elenko elenore eleodoro eleoneta eleonor
  eleonora eleonore eleuterio elfi elfida elfie elfriede elgin elgun elham elhan eli elia eliabeth eliakimu elian eliana eliane elias elie
  eliecer elien eliette eliezer elifnur eligia eligio eliisa elijah elin elina eline elinor elio eliona eliot eliott elis elisa elisabet
  elisabeta elisabete elisabeth elisabetha elisabetta elisaveta elise eliseo elisey elisha elisiya eliska elita elitsa eliud eliz eliza
  elizabet elizabeta elizabete elizabeth elizar elizaveta elize elkana elke elkin elko ella elladio ellen elli ellie ellinor elliot elliott
  ellis elly elma elman elmar elmars elmer elmeri elmidar elmir elmira elmo elna elnur elo eloa eloah elodia elodie elof eloi eloisa eloise
  elon elona elosy elove eloy elphas elpidio elsa elsad elsbeth elsebeth elsie elsy elton elturan eluh elva elvan elvana elver elvia elvin
  elvina elvira elvire elvis elvy elwira elxan elyas elza elzbieta emad emal eman emanoil emanuel emanuela emanuele emanuella emanuelly
  emanuil emanuila emas embuh emeka emelie emelina emeline emely emelyan emelyne emer emerson emese emiel emigdio emiko emil emilce emile
  emilia emilian emiliana emiliano emilie emilien emilija emilio emilis emiliya emiliyan emilly emils emilse emily emin emina emine emir
  emiro emirsan emis emma emmaculate emmah emmanuel emmanuelle emmanuil emmerich emmet emmett emmi emmy emong emperatriz empluk emran emre
  emrullah emy enar encarna encarnacion encarnita encho enda endah endo endra endre endrit ene enea enes enfes engelbert engin enginiz engla
  eniko eniola enis enith enitsa enna ennio enno enock enrico enrika enrique enriqueta ensar ensari ensio enteng enver enya enyu enzi enzio
  enzo eoghan eoin eowyn ephantus epifan epifanio eral eraldo erasmo erast erastus eraycan erbay erbil ercan ercihan erdal erdemer erdibay
  erdmute erdogan erdursun eredin erem eremey eremia eremiya eren erenalp erensoy ergana ergener erginel ergonul ergul ergun erhard erhardt
  eric erica erich erick erik erika erikas eriks erin erina erincer erion eris erkan erkilic erkinel erkki erksoy erland erling ermanis
  ermanno ermenegildo ermes ermil ermilya ermolay ermutlu erna ernest ernestas ernestina ernestine ernesto ernests erno ernst erny erofey
  erogul erol eroz ersat ersec ersel ersen ertan erten ertun ertuncay erva ervaniye ervin erwan erwin eryildiz eryk eryn erzsebet esa esben
  esen esenbay esengun esenturk esfandyar eshan eshana esi esila esim eskil eskinalp esko eslemnur esma esmanperi esmarelda esmee esmeralda
  esmira esna esneider esparta espartaco espen esperanza espiridion esra esref essi esteban estefania estefany estela estella estelle ester
  estera esteri esther estiawan estiono estiven estrella esupofo eszter etela etelka etelvina ethan ethel ethna ethne etibar etien etienne
  etiqad etizaaz etta ettore euan eufemia eufrosina eugen eugene eugenia eugenie eugenio eugine eulalia eulogio eunan eunice eunika eunji
  eunjung eusebia eusebio eusebiu eustaquio eustatiu eutimio eutropio eva evald evaldas evalds evaline evalyne evamaria evan evance
  evangelia evangelina evangelista evangelos evanghelina evans evaristo evcimen evde evdokim evdokiya eve evelia evelien eveliina evelin
  evelina eveline evelio evelyn evelyne everline everlyne evert evfrosiniya evgeniy evgeniya evgraf evi evie evija evita evlampiy evpraksiya
  evridika evrim evrimer evsey evstafiy evstakhiy evstati evstatiy evstigney evtim evy ewa ewald ewan ewatomi ewelina exequiel eydan eyyub
  eyyup ezekiel ezequiel ezgin ezgutekin ezio ezoza ezra faas faber fabia fabian fabiana fabien fabienne fabio fabiola fabiyana fabrice
  fabricio fabrizia fabrizio facundo fadekemi faderera fadey fadi fadil fadila fadile fadime fahad fahari fahmi fahrullah faina fainche faiq
  faisa faisal faizah faizan faize falak falan falguni falk falko fami famil fanaka fang fanni fanny faqid farah farai faraj faraja farangiz
  faras fares farhad farhan farhiya farhod farhunnisa fariba farid farida farijika fariq faris fariz fariza farouk faruk farzaneh farzona
  fathonah fatigul fatih fatiha fatima fatime fatinur fatma fatmanur fatmir fatmire faton fatoumata fatteh fatuma faustas faustino fausto
  fay faye fayize fazil fazli fazul feargal fearghal febe febi fedde fedele feden federica federico federigo fedir fedor fedosiy fedot fehim
  fehintola fehmiye fei feisal felice felicia feliciana feliciano felicidad felicie felicien felicitas felicity feliks feline felipa felipe
  felisa felista felister felistus felix felizitas fella fem femke fen feng fenna fenne fenni fenya feofan feoktist ferahdiba ferapont ferat
  feraye ferdi ferdinand ferdinando feremez ferenc fereshteh fergal fergus ferhan ferhat feriel ferihan ferinaz fermin fermuta fernand
  fernanda fernande fernando ferney ferny ferre fersan feruza feryas ferzi festus fetullah fevroniya feyha feyruz feyzin feza fiachra fiamma
  fibikemi ficho fidan fidaye fidel fidela fidelis fidelma fidvi fien fiene fiifi fikayomi fikiya filaret filatey filcho fildan fili filidan
  filimon filion filip filipa filipas filipe filipini filipopol filipp filippa filippo filit filiz filko filo filofteia filomena filomir
  fimar fimka finbar finbarr findo finian finn finola fintan fiodor fiona fionan fionna fionntan fionnuala fionnula fiorella fiorenzo
  fiorino fircho firdavs firdevis firdovsi firmin firo firs firudin fisnik fitan fitim fitnat fito fitore fitria fitriani fiyaz fjolla
  flamur flannan flavia flavie flavio flaviu flaviya flemming fletcher fleur floare floarea floortje flor flora flore florea florence
  florencia florencio florent florenta florentin florentina florentine florentino flori florian floriana floriane florica floridor florika
  florim florin florina florinda florine floris floro flurin flurina flynn fodil fodor foka folasade folashade folke folker folkert folu
  foma fori fortunat fortunata fortunato fosil fotima fotinka fotiy fouad fouzia frado fran franc franca france frances francesca francesco
  franchesca franci francia francine francis francisc francisca francisco franciscus francisek franciska franciszek franck franco francois
  francoise francy franjo frank franka frankie franklin frankline franky frans frantisek frantiska frants frantsislav franz franziska fraser
  fratsil frauke frazer fred freda freddy frede frederic frederick frederico frederik frederika frederike frederikke frederique fredi fredo
  fredric fredrick fredrik fredrika fredy freia freja fresia freya fricis frida fridah fridolin fridrich frieda friedbert friedemann frieder
  friedericke friederike friedhelm friedhilde friedhold friedl friedlinde friedo friedrich frithjof fritz frode frodo froilan frol fronka
  frusina fryderyk fstk fuad fuga fugen fugo fuko fulgencio fulvio fuma fumiko funmilayo fuzayl fuzuli fynn fyokla gabel gabi gabin gabino
  gabor gabriel gabriela gabriele gabrielius gabriella gabrielle gabrielly gaby gada gadang gading gaduh gael gaelle gaetan gaetano gagan
  gaia gaida gail gaiman gaja gal gala galak galaktion galang galar galasso galena galentin galien galih galimir galina galiono galip
  galiyan gallego galo galuh galur galvarino galya gaman gamani gamanto gambira gamblang gambo gancho ganda gandewa gandi ganep ganesh gang
  ganga gangsa gangsar gani ganim ganimete ganislav ganiye ganjaran ganna gano gantar gantsomir ganutsa gara garan garang garda garech
  gareth garima garo garret garreth garrett garry garvan gary gaspar gaspard gaspare gasti gaston gastone gathoni gatis gato gatot gatra
  gatso gaurang gaurangi gaurav gauri gaurika gautam gautami gauthier gavan gavin gavrila gavrilo gawati gayathri gaylene gazel gazmend
  gbadebo gbolahan gbowoade gda geanina gearoid gebhard gecho gedeon gederts gediminas gedion geert geetika geir gejza gelemir gelengul
  gelsomina gema gemma gena genadi genadivaleriev genadiy genaro gencaslan gencay gencho gene genesis genevieve genislav genko gennadiy
  gennaro geno genovefa genoveva genta gentiana geo geodim geoffrey geoffroy geofrey geomil georg george georgel georgelena georges georgeta
  georgette georgi georgia georgian georgiana georgina georgine georgios georgitsa georgiy geovanny gerald geraldine geraldo gerard gerarda
  gerardine gerardo gerardus gerasim geraud geray gercho gerd gerda gerdan gerdana gerdi gereon gerfried gerga gergan gergely gergelyub
  gergey gergin gergo gerhard gerhardt gerhart gerhild gerlind gerlinde germain germaine german germana gernot gero gerold gerolf geronimo
  geroy gerrard gerrit gerry gerson gert gerta gerti gertraud gertraude gertraut gertrud gertruda gertrude gertrudis gervasio gerwin gery
  gesa gesare gesche gesho gesine geta gethera getislav getko geto getrude getso geza ghaalib ghaazi ghada ghaffaar ghafoor ghaith ghalib
  ghaliyati ghanee ghanem ghani ghannam ghasaan ghassan ghauth ghawth ghayoor ghazal ghazalan ghazanfar ghazanfer ghazawan ghazi ghazzal
  ghenadie gheorghe gheorghita gherghina ghilas ghislain ghislaine ghita ghiyaath ghiyath ghufran ghulaam ghulam ghunayn ghusharib ghusun
  ghutayf giacinto giacobbe giacomo giada giampaolo giampiero gian giancarlo gianfrancesco gianfranco giang gianina gianluca gianluigi
  gianmarco gianna gianni gianpaolo gianpietro gibson gica gichka gicu gideon giedre giedrius giel giesela gifty gijs giko gil gilang
  gilbert gilberte gilberto gilda gildardo gildroy giles gilles gillian gillis gilma gilman gina ginette gino gintare ginyas gioacchino
  gioachino gioele gioffre gioia gion gionata giorgia giorgian giorgiana giorgio giosue giovanna giovanni giovanny girik girindra girish
  girolamo girts gisa gisbert gisela gisele giselle gislinde gisselle gitau githinji gitonga gitta gitte giulia giuliana giuliano giulietta
  giulio giuseppa giuseppe giuseppina giustino giveza giz gizdalen gizdana gizela gizella gizem gladis gladys glafira glauco glbitsa gleb
  glen glenda glenka glenn glenys gloria goda godelieva godelieve godfrey godofredo godwin goffredo gohar gok gokay gokbudun gokce
  gokcebalan gokcil goken gokhan goknur gokperi goksev gokten goli golnaz goma goncafer goncalo gonen gonul gonzalo gopal goran gorazd
  gordan gordana gordey gordiy gordon gorgunay goriya gorklu gorm gorsev gosta gostomysl gote gotsa gotse gottfrid gottfried gotthard
  gotthilf gotthold gottlieb gottlob gotz goyo gozel gozem gracia graciana graciano graciela graeme grafitsa graham grainne grania gratian
  gratiana gratiela grayson grazia graziano graziella grazyna greca greco greg grega greger gregg gregoire gregor gregorio gregory gremislav
  greta gretchen grete gretel grethe gretl gretta gricelda griet grieta grigore grigoriy grimyana griselda grit gro grozdinka grzegorz
  guadalupe guangming guarino gucal gucluer gucyeter gudrun gudula guenter guenther guglielmo gugu gugulethu guido guilherme guillaume
  guillermina guillermo guiomar guiseppe guiying gul gulab gulaga gulay gulbala gulbani gulbeyan gulbiye gulce gulcegun gulcin guldam gulder
  guldunya gulegen gulel gulenay guler gulev gulfaam gulfam gulfari gulfeza gulgen gulguzel gulhisar gulinaz gulkadin gulluhan gulmira
  gulmisal gulnar gulnaz gulnaziye gulnur gulozge gulper gulsa gulsahin gulsalin gulselin gulsen gulseref gulseren gulsevil gulshan gulsiye
  gulsu gulsum gultac gulten gulter gulus gulustan gulxar gulzadiye gulzar gumercindo gumustekin gun guna gunar gunars gunay gunaydin gunbir
  gunborg gunda gundel gunden gundhild gundi gundolf gundula gunduz gunduzalp gunebakan guneet guneri guney gungordu gungoren gunhild
  gunilla gunita gunkurt gunn gunnar gunnel gunner gunsel gunsen gunser gunta guntars gunter gunther guntis guntram gunver gunvor guoqiang
  gurarda gurcuye gurelcem guriy gurli gurpreet gursal gurten gust gustaaf gustaf gustas gustav gustave gustavo gustaw gusti gusztav guus
  guusje guvercin guy guzey gvardiana gvozdeyka gwen gwenael gwenaelle gwenda gwendolen gwendoline gwendolyn gyda gyongyi gyorgy gyorgyi
  gyozo gyte gytis gyugra gyula gyurgya gyuri gzim habib habiba habibe habibu habil habtamu haciali hacile hadassa hadi hadicha hadija
  hadithi hadiza hadjer hadrey hadrien hafiz hafiza hafsa hafsat hafshah hagen hai haiba hailey hairyanto haitham hajnalka hajo hakan
  hakikat hakim hakon hala halenur haley halid halidun halil halim halima halina halisi haliye haluk hamad hami hamid hamima hamis hamish
  hamisi hamiyet hampus hamsini hamza hamzah han hanako hanan hanbiken hanedan haneul hanh hani hania hanife hanim hanja hanna hannabel
  hannah hannchen hanne hannele hannelore hannes hanni hanno hanns hannu hanny hanora hans hansgeorg hansjoachim hansjorg hansjurg
  hansjurgen hanspeter hansruedi hanss hansueli hansultan hao haoran haoyu haralamb haralambie harald harambee harbinaz hardana hardi hardik
  hardy hari harijs harimurti harinakshi harini haris harish harita hariz harja harjasa harjaya harjo harley harmony harnail harol harold
  haroldo haron harper harpreet harri harriet harrison harro harry harsana harsanto harsaya harsh harshil hartaka hartana hartmut hartmuth
  harto hartwig haruka harun haruna harvey hasan hasbek hasgul hashiki hasim hasna hasret hassan hasso hasta hatem hatice hatima hatin hauwa
  hava havali havard havse hawa hawehindi hayali hayat haydee hayden hayel hayleigh hayley hayret hayrunnisa hazeem hazel hazine hazrat
  heather hector hedda hedi hedvig hedviga hedvika hedwig hedy heejin hege heide heidelinde heidelore heidemarie heiderose heidi heidrun
  heidy heike heikki heiko heimo heiner heinfried heini heino heinrich heinz heitor hekima hekime hekmet helan heleen helen helena helene
  helfried helga helge heli helina heliodoro hella helle hellen hellena hellevi hellmut hellmuth helma helmar helmer helmi helmtrud helmut
  helmuth heloisa heloise helvi hema hemal hemang hemangini hemani hemant hemi hendra hendri hendrik henife henk henna henner henni henning
  henny henri henric henrich henricus henrieta henrietta henriette henrik henrike henrikki henriks henrique henryk heracleea heraclio
  heraldo herbert herberto herdis heribert heriberto herlinde herma herman hermanis hermann hermanni hermelinda hermenegildo hermes hermina
  herminda hermine herminia herminio hernan hernando herney herrmann herta hertha heru herve herwig heryanto hesbon hesham hesti heva
  heyvetullah hezniye hezron hiba hicham hicran hicsonmez hidaya hidde hideki hideo hidir hieu hifzullah hikari hilal hilario hilary hilayda
  hilda hildah hildburg hilde hildegard hildegart hildegund hildegunde hilding hilkka hillary hillevi hilma hilmar hiltraud hiltrud himawan
  hina hindal hinet hinewai hinrich hipolito hiral hiroki hiroko hiromi hiroshi hiroto hisashi hisham hitesh hjalmar hjalte hjordis hoa
  hoang hoani hocine hodari holger hollie holly holm homero hong honora honore horacio horatiu horea horia horst hortense hortensia
  hortenzia horymir hosea hoskadem hossam hossein houcine houda howard hredhaan hritik hrvoje hsia hsiang hsien hsin hsing hsiu hsiung hsuan
  hsueh huban hubert hubertine hubertus huda hudavent hudson hugh hugo hugues huguette huia hukumdar hulda hulya humaira humaiya humayra
  humberto humeyra humoyun humphrey hunalp hunor hunter huong hurdogan hurican hurmet hurside huruyet huryasar husam huseyin huseyn
  huseynqulu husmen husnuhal hussam hussein huy huzaifa huzuri hyejin hynek hyunjin hyunwoo iacob iain ian iancu ianis iara iasmina ibaad
  iban iben ibeth ibidapo ibironke ibn ibolya ibraaheem ibraheem ibrahim ibrahima ibrani ibrohim ibtisam ibun ica icha icho ida idik idika
  idrees idris idriz idun ieremia iesa ieva ifa ifeanyi ifechukwu ifeoma ifora iftikhaar iftikhar ifunanya ige iglika ignac ignace ignacia
  ignacio ignacy ignas ignat ignatiy ignatz ignaz ignazio igne igor igors ihab ihaia ihsaan ihsan ihtesham ihtiram ihtishaam ihtsham iida
  iiris iisakki ijaya ijli ika ikbal ikenna ikeoluwa iker ikhlaas ikhsan ikhtiandr ikin ikraam ikram ikramah ikrimah ikshita ilan ilari
  ilaria ilarie ilarion ilcho ildefonso ildiko ildiz ileana ilenia ilga ilgi ilhan ilianna ilias ilich ilie ilija ilinca ilinda iliomar ilir
  iliya iliyan ilja ilka ilkka ilko illya ilmari ilmars ilona ilonka ilsa ilse ilya ilyas ilyes ilze imam iman imane imants imany imara
  imaran imelda imene imer imilian imke immaculate immo imogen imona imran imre imrich imron ina inaki inan inara inaya incho indah indali
  indi india indie indira indra indrajit indre indrek indrikis indy ine ines inesa inese ineta inez inga ingalill ingbert inge ingeborg
  ingeburg ingegard ingegerd ingela ingelise ingelore ingemar ingemund inger ingetraud ingetraut ingmar ingo ingolf ingrid ingrida ingried
  inguna ingvar inigo inioluwa inka inken inkeri inko inmaculada inna innocent innokentiy inocencio inocentiu insa inta intan ioan ioana
  ioanina ioannis iolanda ion iona ionel ionela ionelia ionica ionut iosefina iosif ipat ipatiy ipolit ippazio ippolit ira iraida irakliy
  iren irena irene iretioluwa irfan irian iriana iridenta irin irina irine irinel irineus iriney iriyan irja irko irla irma irmantas irmela
  irmeli irmengard irmgard irmhild irmi irmingard irmtraud irmtraut irmtrud irnanto irnik irsad irungu irwan irya iryna isaac isaack isabel
  isabela isabell isabella isabelly isac isack isadora isaiah isaias isak isaline isamu isaque isaura isay isaya ise iseoluwa isfandiyor
  isha ishaan ishani ishanvi ishita ishola ishwar isidor isidora isidoro isidro isikay isikhiya isiman isis iskr iskren isla islom ismael
  ismail ismet ismik ismo ismoil isobel isolde isolina isperikh israel issa issack istan istatko istiliyana istilyan istvan isus ita italo
  itanya itko itso ituri itzel itziar iulia iulian iuliana iuliu iurie iustin iustina iustinian iva ivalena ivamina ivan ivana ivanesa
  ivanichka ivanka ivanna ivano ivars iveliana iver iveta ivette ivica ivinka ivka ivo ivona ivone ivonne ivor ivy iwan iwo iwona iya
  iyabode iyadunni iymona izaaz izabela izabele ize izidor izidora izmail izot iztok izyaslav jaabir jaafar jaak jaakko jaan jaana jaanus
  jabal jabbaar jabir jabr jabulani jacek jacinta jacintha jacinto jack jackeline jackie jackline jackson jacky jaclyn jacob jacobine jacobo
  jacobus jacopo jacqueline jacques jad jade jader jadranka jadwiga jaehyun jael jaeman jaewon jafar jafet jaffer jaga jagapati jagaraga
  jagat jagdish jagrati jagvi jahangir jahanzeb jahdami jahdari jahi jahiz jahm jahongir jai jaider jail jaiman jaime jair jairaj jairo
  jairus jais jaka jakob jakobs jakov jakub jalaal jalal jalees jalia jalil jalmari jalol jalsa jamaal jamal jamalia jameel james jamie
  jamil jamila jamshid jan jana janaki janani jane janet janeta janeth janett janette janez jangwa jani janic janice janick janik janin
  janina janine janis janja jankat janko jann janna janne janneth janni jannie jannik jannis jano janos janosch januja janusz janya japhet
  japheth jaqueline jara jared jari jarkko jarl jarlath jarleth jarmila jarmo jarne jarno jarolim jaromir jaromira jaron jaroslav jaroslava
  jaroslaw jarrod jaruthip jaruwan jarwa jarwadi jarwi jasin jasiri jasmani jasmijn jasmin jasmina jasmine jasminka jasmit jasna jason
  jasper jaspreet jasur jaswadi jati jatin jatmiko javad javan javi javier javiera javohir jawad jaxon jay jaya jayadi jayda jayde jayden
  jayeng jaylinn jayne jayson jazeps jazmin jean jeana jeanette jeanine jeanne jeannette jeannie jeannine jeannot jeanny jebet jecinta
  jedidah jedrzej jeet jeevika jef jeferson jeff jefferson jeffery jeffrey jefri jeison jeisson jekabs jekaterina jekaubs jelagat jelani
  jele jelena jelita jelka jelle jelte jemimah jemma jemutai jen jena jenaro jenel jenifer jeniffer jenipher jenna jenni jennie jennifer
  jenniffer jenny jeno jens jente jepchirchir jepchumba jepkemoi jepkoech jepkorir jepkosgei jeppe jeptoo jere jeremi jeremiah jeremias
  jeremie jeremy jergus jerica jerker jermaine jerman jermiah jernej jerneja jeroen jerome jeronimo jerono jerop jerotich jerry jerson
  jeruto jerzy jesca jesper jesse jessica jessie jessika jessy jesus jesusa jetmir jeton jevgeni jezups jhalak jhan jhoan jhoana jhon
  jhonatan jhonny jhony jian jianguo jianhua jianwei jie jihoon jil jill jillian jimena jimin jimmie jimmy jina jinawi jindra jindrich
  jindriska jing jingjing jinjuta jinthe jip jiri jirina jitka jitrin jiwoo jiyeon joachim joacim joakim joan joana joann joanna joanne
  joannes joaquim joaquin joaquina joash jobst jocelyn jocelyne jochem jochen jodi jodie jody joel joelle joep joerg joeri joey joffrey
  johan johana johann johanna johanne johannes johans john johnathan johnnie johnny johnson johnstone johny joke joko jokubas jolan jolana
  jolanda jolanta jolanthe jolene jolien jolijn jolina joline jon jona jonah jonas jonatan jonathan jonathon joni jonna jonny jono joojo
  joona joonas joonatan joost joppe joram joran jordan jordana jordi jordon jordy joren jorg jorge jorgen joris jorja jorma jorn jort jorune
  jorunn jos jose josee josef josefa josefiina josefin josefina josefine joselyn josep joseph josepha josephat josephina josephine josephus
  josette josh joshua josiah josiane josianne josip josipa josko joso josphat josphine josse jost josua josue josy jouko jouni jovan jovana
  jovita joy joyce joyline jozef jozefa jozefina jozica jozo jozsef jua juan juana juanita juanito jude judit judita judith judy juergen
  juha juhana juhani juho jui jukka jula jule jules juli julia julian juliana juliane julianna julie julien julienne juliet julieta julieth
  juliette julija julijana julijs julio julita julius juliusz juma jumaane jumadi jumari jun juna june jung jungwoo juni junior junjie junko
  juozas juraj jure jurg jurgen jurgita juri jurij juris jurre jussi justas justin justina justinas justine justiniani justo justus justyna
  jusuf jutta juul juulia juuso juvenal juwon jyoti jyrki jytte kaamil kaan kaarina kaarlo kaashif kaat kaazim kabeer kabir kabiru kachela
  kacper kacung kada kader kadifeyka kadinana kadir kadri kafeel kagiso kahina kahir kahu kahurangi kai kaia kaija kaique kairav kaisa
  kaitlin kaitlyn kaito kaiwen kaj kaja kajen kajetan kajji kajsa kajus kala kalbi kaleb kaleem kaleema kalervo kalevi kaleya kalgay kalim
  kalina kalisa kalle kallistrat kalman kalpit kaltrina kaluda kaluwa kamal kamala kamar kamaria kamau kambali kameya kamidin kamiel kamil
  kamila kamilla kamilly kamolchanok kamran kamron kamya kana kanak kanda kandef kani kania kanini kanpulat kanusha kaombwe kaori kapagan
  kapiton kara karaamat karabas karaca karaer karakucak karam karama karamelita karan karanbay karani karanja karatas karcan karcho kardelen
  kardi kare kareem karel karen kari karim karima karimah kariman karimi karin karina karine kariuki karja karl karla karley karlfried
  karlheinz karlijn karlina karlis karlo karlukhan karman karmen karna karol karola karolien karoliina karolin karolina karoline karolis
  karoly karp karsa karsana karsten karta karthik kartika karya karyn kasam kashan kashangaki kashif kashish kashvi kasidi kasif kasim
  kasimir kasiran kasiyah kaskazi kaspar kaspars kasper kassim kastriot kasusra kasyan kata katakomb katalin katalina katalinka katana
  katariina katarina katarzyna katastrofa katcha kate katelijne katelyn katerin katerina katerine katharina katharine kathe katherin
  katherina katherine katherinne kathi kathleen kathrin kathryn kathy kati katia katica katie katinka katja katleen kato katri katrien
  katriina katrijn katrin katrina katrine katriona katsumi katty katy kauko kaunka kauri kauthar kaveh kaver kavurt kavya kawaca kawaya
  kawkab kawthar kay kayagun kayden kaye kaygusuz kayit kayla kaylee kayleigh kayrabay kaysan kayun kazi kazim kazime kazimierz kazimir
  kazuhiro kazuo kazuya kealan keano keanu keegan keelan keely keeva kefser keijo keira keisha keith keji kelami keld kelechi kelli kellie
  kelly kelsey kemal kemba kemboi kemuma kemunto ken kenan kenari kendra kenedy kenes keneth kenichi kenn kennedy kennet kenneth kenny kent
  kenta kenter kenth kenyangi kenza kenzie kenzo keranka keri kerim kerime kerman kerri kerrie kerry kerstin kerttu kerubo kestutis kete
  keti kevim kevin kevork keya keyaan kezban kezia keziah khaalid khaan khacho khadidja khadija khaled khalid khalil khamani khamisi khana
  khanh khanko khanyisile kharalambi kharalampi kharalan kharbingr khari khariton kharitoniya kharizan kharlampiy khasan khasatin khavtelin
  khebr khefestion khektor khenrieta kheraklit khernani khiminay khinka khinko khino khitko khloe khoa kholi khoma khoroz khrabr khrabrin
  khranimir khranislava khrelko khrelo khrisanka khrischo khrisim khrisimir khriso khrista khristalin khristela khristiela khristilian
  khristiliyana khristina khristivilin khristiyan khristo khristodor khristoelena khristofor khristomil khristomir khristoslav khristozar
  khristya khrondel khrusan khuana khuban khubav khubavelka khubaven khuben khvoyne kiaan kiah kian kiana kiandra kiano kiapo kiara kiaran
  kiarie kibafupia kibar kiber kibet kibibi kiburi kiera kieran kiernan kieron kifaye kijana kijani kike kikelomo kiki kilian kilicbay
  killian kilonzo kim kimani kimanzi kimathi kimba kimberley kimberly kimbilio kimbo kimcho kimeu kimmo kimon kimutai kimya kin kinaya kinel
  kinga kingston kinka kino kinta kinubi kinuthia kinyanjui kinyua kiojah kioko kipchirchir kipchumba kipenzi kipepeo kipkemboi kipkemoi
  kipkirui kipkoech kipkorir kipkosgei kipkurui kiplagat kiplangat kiplimo kipngeno kipngetich kipras kiprislav kipriyan kiprono kiprop
  kiprotich kipruto kipsang kiptoo kipyegon kir kira kiramettin kiran kirat kirby kircho kirgiz kiri kirien kiril kirill kirilo kirk kirka
  kirsi kirsten kirsti kirstie kirstin kirstine kirsty kirui kiryak kiryaki kiryako kis kisima kismet kit kitan kitchitsa kito kitodar
  kitomir kitti kiume kivilcim kiwara kiyasi kiyoshi kizil kiziltunc kjeld kjell kjersti kjetil klaas klara klare klas klaudia klaudie klaus
  klavdija klavdiy klavdiya klavs klea klemen klemens klement kleuna klim kliment klothilde kloya knina knud knut kobe kocabas kocak kockan
  kodchaporn koech koen koenraad kofi koha kohei koji kojo koker kokimira koko koktas kolawole kolcho koldan kole kolo koloman kolyu komal
  komara komnin koncagul kondo kondrat kondratiy konguralp konon konrad konradi konradus konstantin konstantina konstantinos konstanty
  konstanze konul kopan kora koray korbinian kordula korede kori korinna korir korkmazalp kornel kornelia kornelija kornelius korneliya
  kornil korugan kosemen kosgei kosisochukwu kosta kostadinka kostyantin kosukhan kotryna kotuz kourosh kovu koycho koyno koyo kozma kralina
  krasidara krasiyana kreszentia kreszenz kriemhild kris krish krisha krishna krisi krisjanis kriss krista kristabela kristaps kristel
  kristen krister kristers kristi kristiaan kristian kristiana kristiane kristie kristien kristiina kristijan kristin kristina kristine
  kristiya kristjan kristof kristofer kristoffer kristopher krists kristupas kristy kristyna krisztian krisztina krisztofer kritika krstanka
  krste krystal krystian krystof krystyna krzysztof ksandriniya ksawery ksenija kseniya kuan kubran kuchanua kuddusi kujoe kujtim kullervo
  kulnun kumar kumiko kumral kumush kunal kunaporn kuncara kunibert kunigunda kunigunde kunka kunkyi kuno kunthara kuo kupriyan kuria kurnia
  kursad kurtis kurunzi kushtrim kusiima kustaa kusuma kutay kutgun kutun kuzma kuzman kveta kvetoslav kvetoslava kwabena kwadwo kwaku
  kwamboka kwame kwamena kwasi kweku kweli kwesi kyalo kyan kyano kyara kyla kyle kylian kylie kyllian kyllikki kyoko kyosuke kyra kyungmin
  kyungsoo laban labeeb labib labinot labuh lacey lachlan lacin lacramioara lada ladan ladimir ladina ladislau ladislaus ladislav ladislava
  ladli lady laeeq laerke laetitia lage lahiah laia laika laila lailati laimonis laini laiq lais laith lajita lajlaj lajos laksana laksh
  lakshit lakshmi lala lale lalita lalitha lalka lalko lalo laly lamar lambert lamberto lambi lambo lambyu lameck lamine lan lana lanang
  lander lando langalibalele langat langgeng lanjar lanselot lantar laoise laora laqeet lara laras larisa larissa larry lars lascar laskal
  laskar lasmanto lasmono lasse lassi lastr laswi laszlo latasha lateef latif latika latko lato latoya latsa latyu laura laure laureano
  laureen lauren laurence laurens laurent laurentia laurentiu laurenz lauretta laurette lauri laurian lauriane laurie laurin laurina laurine
  lauris laurita laurits laurynas laus laust lautaro lavanya lavender lavinia lavize lavr lavrentiy lawrence lawrencia layla laylo layth
  lazar lazaro laze lazim laziz lazura lazzaro lchezarka lea leah leana leander leandr leandra leandre leandro leane leanne leano leart
  lecho ledion ledun lee leela leen leena leevi lefter lega legawa lei leia leider leidy leif leigh leila leire leja lejla leka leke lekha
  leko lelia lembah lena lenah lenche lene leni lenin lenka lenko lenn lennard lennart lennarth lennert lenny leo leocadia leocadio leokadia
  leon leona leonard leonardo leonce leoncio leone leonel leonhard leoni leonid leonidas leonie leonor leonora leonore leons leontin
  leontina leontine leontiy leopold leopolda leopoldina leopoldine leopoldo leordean leos lerato lere leroy lerze les lesana lese lesia
  lesley leslie lesly leszek leticia leticija letisiya letitia letizia levcho levent levente levi levin levis levko levoslav lewis leydi
  leyla leyli leyre lezize lhanzey lia liam lian liana liane liang lias liba liban libardo libby liberta liberto libia libni libor libusa
  libuse lica liceth licho licia lida lidia lidija lidiya lidiyka lidwina lidya lieke lien liene liepa liesa liesbet liesbeth lieschen
  liesel lieselot lieselotte lieve lieven lieze liga ligia ligita lihua liisa lika likhiya lila lilcho lili lilia lilian liliana liliane
  lilija lilijana lilita liliya lilja liljana lilko lill lilla lillemor lilli lillian lilly lilo lilou lily lilyan lilyanka liman limar
  limazah limon lin lina linah linas lincoln linda lindah linde lindita lindsay lindsey linet ling linh linn linnea lino lintang linus lio
  lioara lioba lionel lipe lipika liridon liridona lirim lirjan lis lisa lisandro lisanne lisbet lisbeth lise liselott liselotte liseth
  lisette lissette lissi lissy liv liva livia livingstone livio liviu liwei liwia liya liyaaqat liyaqat liz liza lize lizete lizeth lizz
  lizzy ljiljana ljubica ljubisa ljubov ljudmila lloyd loan lode lodewijk lodovico loek loes logan lohit loic loice loida lois loise loke
  lola lolita lona londisizwe londiwe longin loni lonnie loot lopa lope loraine lorans lorcan lore loredana lorelei lorena lorenz lorenza
  lorenzo loreto loretta loretto lori lorik lorin lorine loris lorna lorraine lotfi lothar loti lott lotta lotte lotti lou louana louane
  loui louie louis louisa louise louka louna lourdes lourenco lova lovcho lovis lovisa lovre lovro lowe lowie loyola lozan lozana lozanka
  lozen luan luana luara luay lubica lubna lubomir lubomira lubor lubos luboslav luboslava luc luca lucas lucca luce lucentiu lucero lucette
  luchezar luchino lucho lucia lucian luciana luciano lucie lucien lucienne lucija lucila lucile lucinda lucio lucky lucrecia lucretia
  lucretiu lucrezia lucy ludek ludger ludivine ludmila ludmilla ludo ludolf ludomil ludomila ludovic ludovica ludovico ludovicus ludovit
  ludvig ludvik ludwig ludwina luej luena lufen luhung luigi luigia luigina luis luisa luisana luise luisina luitgard luiz luiza lujza luka
  lukan lukas lukasz luke lukita lukiya lukman luko lukyan lulcho luli luljeta luluh lulut lulzim luminita lumir luna lung lungile lunna
  lupe lupita luqmaan luqman lurhur lusio lusiya lutf lutfan lutfi lutgarde lutgardis lutgart luthfi lutz luuk luwar luwes luyanda luz luzia
  luzie luzius luzmira lwandile lya lyam lyanka lydia lydiah lydiane lydianne lydie lykke lyna lynda lyndon lyndsay lyndsey lynette lynley
  lynn lynne lynnette lynsey lysiane lyubim lyubimi lyubina lyublina lyubomir lyuboslava lyubosmysl lyubov lyudmila lyulyana lyusila maahir
  maaike maajid maalik maanas maanav maaria maarit maarten maartje maawiya maaya maaz maazin mabad mabel macarena macaria macario macauley
  macharia macide maciej mackenzie macs mad madaha madalena madalin madalina madani madara maddalena maddison madeleine madelene madelief
  madeline madhav madhavi madina madini madison madiyan madleina madlen madoa mads madyan mael maelle maelys maeva maeve mafalda maftuna
  magali magalie magaly magarete magda magdalena magdalene magdaline magdolna maggie maggy magne magnolia magnus magret magrit mahad mahali
  mahaz mahbeer mahboob mahbub mahdee mahdi mahdy maheen maher mahesa mahesh mahfooz mahfud mahfuj mahfuz mahi mahigul mahika mahir mahja
  mahmood mahmoud mahmud mahmut mahnaz mahsun mahter mahulena mai maia maicol maida maie maighread maija maik maike maiken maikol maila
  maimuna maimunah maina maingi maira maire mairead mairin mairtin maisa maisha maisy maite maivi maja majani majd majdi majdy majed majeed
  majella majken majvor makar makara makarena makau makayla makeen makena makhno maki makini makokha makori makoto maks maksim maksimiliyana
  maksimiljan maksimilyan maksude maksur maksymilian makunga makuta makuu mala malachy malak malcolm malea malena malene malgorzata malik
  malika malin malina malio maliza malle mallory malou malte malthe maltina malu malva malvina malwina mamadou maman mamen mamun manaaki
  manabu manaf manah manaia manan manawa manbir manca mancho manda mandla mandlakhe mandy manel manfred manila manish manja mano manoel
  manoj manol manola manole manolina manolo manon manpreet mans mansour mansurali mantas mante manthan manu manuel manuela manuelita
  manuella manuelle manuil manus manush manya manyu maqsud mar mara maraea marangoni maras marc marcantonio marcel marcela marcelina
  marceline marcelino marcell marcella marcelle marcello marcelo marchelo marcheta marcia marcial marciano marcin marcio marco marcos marcu
  marcus mare maree mareen mareike mareikura mareile marek mareks maren marese marfa marga margana margaret margareta margarete margaretha
  margarethe margarida margarit margarita margaritha margaud margaux margherita margit margita margitta margo margot margoth margret
  margreth margrethe margrieta margrit margrith marguerite margus marguy mari maria mariadi mariah mariam mariama marian mariana mariane
  marianela mariangela mariann marianna marianne mariano maribel marica maricel maricela maricica maricruz marie mariechen marieke mariela
  mariele mariella marielle marieluise marietta mariette marija marijan marijana marijke marijn marika mariko marilena mariluz marilyn marin
  marina marincho marine marinel marinela marineta marinette marini marinka marino marinus mario marioara mariola mariollita marion mariotka
  maris marisa marise marisel marisela marisol marissa maristela marit marita marite maritna maritta maritza mariuca marius mariusz mariy
  mariya mariyan mariyka marja marjaana marjan marjana marjanca marjani marjatta marjeta marjo marjona marjorie marjukka marjut markas
  marketa marketta markku marko markus marleen marlen marlena marlene marleny marlies marliese marlis marlise marlon marly marlyse marnix
  maroof maros marsito marsudi mart marta martaka martana martani marte marten martha marthe marti martial martijn martim martin martina
  martine martiniyan martino martins martirio marton martta martti martyan martyn martynas marusa marush marusya marvin marwa marwan marwata
  mary maryadi maryam maryann maryanne maryanto marylene maryline maryse maryvonne marzena masa masahiro masaki masako masar masha masho
  maside masika masinde maslina mason masoud massiel massimiliano massimo massinissa masume matas mate matea matei matej mateja mateo mateus
  mateusz matevz matey matheo matheus mathew mathias mathieu mathijs mathilda mathilde mathis mathys mati matias matic matija matilda
  matilde matiss matiu matjaz matka mato matous mats matteo matthaus matthew matthias matthieu matthijs matti mattia mattias matts matunda
  matus matvey matyas matyu maua maud maude mauno maura maureen mauri maurice mauricette mauricio maurilio maurin maurine maurits mauritz
  maurizio mauro maurus maurycy mavie mavuno maxence maxi maxima maxime maximiano maximilian maximiliano maximilien maximino maximo maxine
  maxwel maxwell maya mayerly maykol maynur mayra maysa mayte mayumi mayya maza mazlum mbithi mboya mbugua mburu mcebisi mckenzie meabh
  meagan meaghan mechislav mechthild mechthilde mechtild mecide mecit meda medard medeja medikha medina meelis meena meenakshi meera mees
  mefarettin mefharet mefodiy meg megan megane megha meghan meghana megumi mehdi mehdiqulu mehdiye mehin mehman mehmed mehmet mehmetzahir
  mehrdad mehrigul mehrimoh mei meibh meik meike meiling meinhard meinolf meinrad meja mekhala melaha melania melanie melanine melaniya
  melany melba melchior melchor meldi melek meleknur melichar melihcan melikkan melina melinda melisa melissa melita melitta melker melle
  melodie melody melul melvin melvine melwin memili menfeat mengi menguc mengyao menisan meno mentor meral merba mercedes merche mercy
  mercyline merdi mereana meredith merel meret merete merethe mergim meriem merijn merike merilin merim merita merja merle merlin meropa
  mert mertel merva merve mervi mervin mervyn mery meryem meryeme merzuk mesak meshack meshur mestur mesude mesut metaksa metehan metin
  metinkaya metka metod metodi metrine mette meveddet mevludiye mevlut mey meyhanim meyransa mezide mia micael micaela micah miceal micha
  michael michaela michaele michail michal michala micheal micheala michel michela michelangelo michele micheletto micheline michell
  michelle michelotto michiel michiko mick mickael midori mie mieke miel mieszko migle miglena miguel miguela miha mihael mihaela mihai
  mihail mihajlo mihaly mihels mihhail mihin mihkel mihnea miho mihrab mihriye miia miika mijo mik mika mikael mikaela mikaere mikako
  mikayil mikayla mike mikelis mikels mikhail mikhaylena mikhaylina mikhaylo mikhey miki mikita mikkel mikko miklos mikolaj mikolay mikulas
  mikyas mila milada milagros milan milana milara milay milcah milda mildiya mildred milen milena miliana milica militsa miliy milka milkah
  milla millaray mille miller millicent millie milo milorad milos miloslav miloslava milost milosz milota milou milovan milton miluse mimi
  mimmi mimoza mimy mina mindaugas mindy minenhle minerva ming minghao mingyue minh minibe minjun minka minna minodora minoru minseo mio
  mioara miodrag mir mira mirabela miran miranda miranza miray mirbadin mircea mirco mirdza mireia mireille mirela mirella mirena mireya
  miriam miriama mirian mirja mirjam mirjami mirjana mirko mirlinda mirna miro miron mirona mironshoh miropa miroslav miroslava miroslaw
  miroslawa mirriam mirsad mirta mirte mirtha mirthe miruna miryam misael misaki mischa mishat mishka misla mislav misra misty misuli mitali
  mitchel mitchell mitchelle mitesh mitica mitko mitofan mitoshka mitra mitrut mitsuko mituru mitzy miyesser miyuki mizhir mizuki mkarkara
  mladen mladlena mlungisi mnqobi moa modest modesta modesto modris modupe mofifoluwa mogens mohamad mohamed mohamedi mohammad mohammed
  mohamud mohan mohand mohini mohinur mohlaroyim mohsen mohsim moira moises moisey mojca mojisola mojisoluwa mojmir mokey mollie molly
  momanyi momchilo momera momoko mona monalisa monica monicah monika monique monis monja monserrat montserrat mora moraa moradeke morayo
  moreen morena morenike moreno morgan morgane moric morine moritz morolake morris mortadela morten mortimer moses mosinmileoluwa mostafa
  mosunmola motunrayo mouloud mounir mourad moureen mourib mourine moussa moustafa moya moyosore mrihani mstislav mthokozisi muarra mubariz
  mubetcel mubina mucahit mucellib mucevher muchiri muema mueni muferrih mufide mufit mugambi mugber mugdha mugendi mugo mugur mugurel
  muhallil muhamed muhamet muhammad muhammadali muhammadamin muhammadamir muhammadayub muhammadaziz muhammadrizo muhammadsafo muhammadsodiq
  muhammadsolih muhammadumar muhammadyasin muhammadyusuf muhammadziyo muhammed muhammet muharrem muhazzim muhima muhip muhiye muhsina
  muhyettin muia muireann muiruri muizza mujde mujur mukbile mukesh mukhwana mukramin mukrume muktedir mulayim mulele muli mulugeta mulwa
  mulya mulyanto mulyono mumbi mumo mumpuni mumtaz mumtaze mumtoz munene munezzer mungai muni munif munisa munyao munyoki murad murali murat
  muratcan muret muriel murielle muriithi murilo murimi murit murithi muriuki murod murray mursalina mursinin mursita murti musafet musaffa
  musau musee musembi musemma musfira mushana mushtariy musila muskunaz muslim muslima muslum mustafa mustafo mustapha mustika mustofa
  musure musyoka musyoki mutai mutasim muthama muthengi muthoka muthoni muthui mutia mutie mutinda mutiso mutisya mutluhan mutua mutuku
  mutunga muturi muvaffak muvahhide muveddet muxlisa muxtar muzaffer muzayyana muzdahir muzdalifa muzekker muzhir mwamini mwanajuma
  mwanamisi mwangangi mwangi mwaniki mwanzia mwasaa mwaura mwende mwendwa mwezi mwikali mwiti mya mylene myles myra myriam myrta myrtha
  myrthe mzamo naadir naail naajy naasih naasir naathim naazhim nabeeh nabeel nabhan nabigh nabih nabil nabila nacer nachiket nachiyan
  nachko nacho nacio nada nadeem nadege nades nadeschda nadeshda nadezda nadezhda nadhir nadia nadim nadin nadine nadir naditsa nadiya nadja
  nadka nadr nae naeem nael nafasat nafees nafesa nafii nafile nafis nafisat naftali nafula nagi naglis nahashon nahiara nahla nahuel naiara
  naib naide nail naim naimh naina nair naja najair najam najeeb najib najuma najwa nake naki nakif nakip nako naksh nakul nalan nalar
  naledi naliaka nam namiq nana nanami nancho nancy nand nandini nando nandor nani nanjala nanko nanna nanni nansimir nanyu naoimh naoise
  naoki naoko naom naomh naomi naomy naoto napoleone naradi narcis narcisa narciso narcisse nardi narendra narhanim narimane naringul narji
  narkis nartsislav nas nasab naser nashipie nasiba nasim nasiru nasko nasra nasrin nasrullah nasser nassim nastimir nastiya nastja
  nastradin nasuf natacha natali natalia natalie natalija natalio nataliya natalja nataly natalya natan natanael natanail nataniel natasa
  natascha natasha natasja natasza nate natella nath nathalia nathalie nathaly nathan nathanael nathaniel nathari nathasha natiq natividad
  natko natsko natso natsuki nattawun naud naum naveen navjot navodnenka nawal nayara nayaret nayareth naycho nayda nayef nayeli nayfa
  nayibe nayil nayo naz nazanin nazar nazaret nazario nazende nazi nazidil nazim nazimet nazir nazli nazlihan nazlim nazmi ndegwa nderitu
  ndirangu nduku ndumiso ndunge ndungu nduta nea neal neasa nebih nebiha nebojsa necati necdat nechifor necilal necmettin necva nedas nedda
  nedelcho nedelin nedelyana nedislav nedjma nedko nedo nedyalko nedyu neel neelima neema neeraj nefaret nefiye neftali negoslav negrita
  neha nehemiah nehip neider neill neja nejc nejdet nekesa nel nela nelah nelcho nelcy nele nelia nelida nelima nelio nelko nell nella nelli
  nellie nelly nelson nelsy nelu nelya nemanja nenad nencho nene nenko nensislav neo neokli neolina neptun nerea nereida neres neriban
  nerijus nerim neringa nermin nesfe neshka nesip neslinur neslisah nesrin nesrine nessa nestor nete netra nevaeh neval neven nevena nevenka
  nevenko nevgin neviliyan neville nevin nevio nevise nevsal nevsale nevyan neycho neyka neyko neyran neza nezengul nezihi nezize ngaire
  ngamia nganga ngari ngeni ngigi ngoc ngozi ngugi nhat nhien nhlanhla nhung nia nial niall niamh niara nibaldo nicanor nicat niccolo
  nichakarn nichifor nichola nicholas nichole nicholus nick nicklas nickson nicky niclas nico nicoara nicodemo nicodemus nicodim nicol
  nicola nicolae nicolai nicolaie nicolaj nicolas nicolasa nicolaus nicole nicoleta nicoletta nicoline nicolo nicu niculina niculita nicusor
  nicuta nidhi nidia nidra niek niels nienke nieves nifont nigar nigel nigesa nigmet nigrita nihad nihai nihal nihan niharika niilo niina
  nik nika nikandr nikanor nikau nikhil nikifor nikita nikki niklas niklaus niko nikodem nikodim nikoela nikol nikola nikolai nikolaj
  nikolajs nikolaos nikolas nikolaus nikolay nikolett nikoletta nikolina nikon nikora niks niksa nilam nilcan nilda nili nilima nilo
  niloufar nils nilson nilufar nimakoah nimrat nina ninel ninetta ningning ninioluwa nino ninoska ninthe nionila niracha nirgul nirja nisa
  nisha nitara nitesh nitin nives nixon niyaga niyaz niyazi niyilolawa nizar njabulo njagi njenga njeri njeru njiru njogu njoki njoroge
  njozi njue njuguna nkazimulo nkechi nkiruka nnamdi nneka noa noah noam nobantu noboru nobuhle nobuko noel noeleen noelia noeline noella
  noelle noemi noemie nohora noirin nojus nokulunga nokuthula nolan nolberto noleen nollaig nomagugu nomalanga noman nomasonto nomathalente
  nomathemba nomcebo nomthandazo nomusa nomvula nonhlanhla nonjabulo nonna nonso noor noora noortje noppakao nora norah norbert norberto
  norbey nore noreen norica noriko norina norka norma norman normunds notburga nothando noud nour noura nova novi novruz noxolo nozibusiso
  nozima nozizwe nqobizitha nrima ntimi nuala nubar nubia nudret nugraha nuhu nula nuno nura nural nuran nuray nurbanu nurcan nurda nurdeniz
  nureta nuretdin nurettin nurey nurgil nurhayet nuri nuria nuriat nurice nuriya nuriyet nurkan nurlan nurlana nurmelek nurmuhammad nursan
  nurseda nurser nursim nurtac nurten nuru nurul nurulla nurullah nurveren nury nusa nutcha nutkrita nutwadee nuyan nwabudike nyaboke nyaga
  nyakundi nyamai nyambura nyana nyanchama nyasha nyasi nyawira nydia nynke nyoka nyoman nyongesa nyoni nyota nyuki nzioka nzomo oana oba
  obaid obanijesu obdulia obed obianuju obinna obirdar obretim ocampo oceane ochieng octav octavia octavian octaviana octavie octavio
  octaviu oda odalis odalys odarka odeline odette odhiambo odhran odika odile odina odkanli odongo oduor oeshi ofelia ofeliya oganer oge
  ogechi oget ogin ognemir ognen ognena ogooluwa ogulbas ogurata ogus oguzman oisin oiva oivind ojas ojasvi ojvind okanay okbay oke okean
  okechukwu okello okguclu okhanes okhrim okkas okoth oksana okseniya okseven okta oktaviya okto okturemis okturk oktyabrina okumu okyalaz
  ola oladare oladimeji olaf olajumoke olakunle olalla olanrewaju olansile olasunmbo olav olavi olca oldag oldrich ole oleg olegario olek
  oleksa oleksandr olena oles olfert olga olgerts olgierd olimpi olimpia olimpiada olimpian olimpiu olimpiy oliva olive oliver olivera
  olivia olivie olivier olivija oliviu oliwer oliwier olle olli olof ololade oloo olov oluchi olufunke olufunmilayo olumorotimi oluoch olus
  oluwafemi oluwagbemiga oluwakemi oluwamumibori oluwamuyiwa oluwasanmi oluwasegun oluwaseun oluwatobi oluwole olwen olwethu olympia omaca
  omair omaira omaja oman omana omar omari omeir omelyan omer omina omisha omkaar omobobola omobolanle omodunni omolabake omolara omondi
  omosalewa omotara omotayo omotola omotoun omowumi omran omriye omur omurtag omya ona onat oncel oncho ondieki ondrej onel onesmus ongay
  ongen oni onik onisim onkar onni onofre onsal onufri onufriy onuker onur onurcan onursu onveer onyango onyinye oona oonagh opan opanas
  ophelia ophelie opiyo opung opwonya oqtay oran oranli orazio orcin orduxan oreofe orest orestas oreste orfelina orfey orfhlaith orfiye
  orgun orhan oriana orik orina orinder orisya orjan orkhidey orkhideya orkhip orla orlagh orlaigh orlaith orlando orleana orlin orna
  ornella orni orsolya ortak ortansa ortodoksi ortrud ortrun ortse ortwin oruc orvokki orxan oryurek osama osamu oscar osha osip osiyo oskar
  oskari oskars osman osmo osogo ossama ossi ossian ostap osten ostromir osunleke osvald osvaldo osvalds oswald oswaldo oswin otabek otakar
  otavio otay otfried othman othmar otieno otilia otilija otis otmar oto ottavio ottfried ottilia ottilie ottmar otto ottokar ottomar ottone
  otylie ouanes ouma ousmane oussama outi ovanes ove ovidio ovidiu oviya ovli ovun owais owe owen owethu owino owuor oxana oyenike
  oyindasola oymak oysha oystein oyvind ozakan ozalpsan ozana ozansu ozaslan ozay ozbay ozbilek ozbilge ozcam ozdal ozdes ozdil ozdogdu ozel
  ozerdinc ozertem ozge ozger ozgun ozgur ozinal ozioma ozkent ozkutlu ozlem ozlu ozokcu ozpetek ozpinar ozsozlu oztek ozturk ozudogru ozy
  ozyurt paavo pabla pablo paca pacho pachongruk pacifica paco pada padma padmi padraic padraig padraigh padraigin pahal paige paiman paisiy
  paivi paivikki pak paker pakhom pakjira pako paksu pal pallavi palle palmi palmira palmiro paloma palomina palvira pam pambe pamela pamfil
  panagachie panait panas panay panayot panca pancho pande pandelis pandu pane panfil panfilo pangeran pangestu panini panji pankaj pankrac
  pankrat pankratiy pankrtiyyan pannawich pano pantaley panteley panteleymon pantera panto pantyu panya pao paola paoletta paolina paolo
  parakhod paramita paramon paraschiva parashkev parashkevan parashkevitsa paraskev pardi parfen paride parin paris parisa parker parman
  parmen parsa parth parunka parush parvati parvez parvin pasa pascale pascaline paschal pascual pascuala pasi paskalia pasko paspanakhil
  pasqual pasquale pastor pastora patchaploy patcharaporn pato patric patrice patricia patricie patricija patricio patrick patrik patriotka
  patrizia patrizio patru patryk patsa patso pattamon pattapon pattatomporn patty pau paul paula paule paulette pauli paulica paulien
  pauliina paulin paulina pauline paulino paulius paulo pauls paun pauric pavani pavao pavel pavelin paviliya pavko pavla pavle pavlik
  pavlin pavlina pavlincho pavlo pavlomir pavol pawan pawel payam paye payton paz peace peadar peader pearce pearl pearse peder pedro peem
  peeter pegah peggy pehlil pei pekka pekkan peko pelageya pelaji pelay pelayo pele pelina pelle pellegrino pembesin penchin pencho penelope
  peng penina peninah penko penny peno pentti penyu peo pepe pepelota pepijn pepino pepislav pepita pepito pepo percho percy peren periana
  perikl perinur peris perkasa perla perlita permun pernilla pernille perrine perry persiana persiyan pertti peruna pervaiz pesent peshka
  petar pete peter peteris peterson petikongres petinka petkan petko peto petr petra petraki petrana petras petre petri petrica petrina
  petrinel petrisor petriyka petro petromil petromira petrona petronela petronila petros petrozar petru petrus petrushka petrut petruta
  petter petteri peychin peycho peyko peyo peyodon peyolina peytan peyton phanice phelim phelix phenphitcha phileine philemon philip philipp
  philippa philippe philippine philis phillip philomena phineas phoebe phoenix phubes phuc phuong phylis phyllis pia piaras piedad pien pier
  pierangelo pierce pierette piergiorgio piergiuseppe pierina pierluigi piermaria piero pierpaolo pierre pierrette piersanti piet pieter
  pietra pietro piia pijus pilar pili pilip pim pimen pina pintusorn pio piotr piper pippa pirahmet piran piret pirjo pirkko pirmin piroska
  pitipat pius placido plamena platon plesu pleun plinio plodovitka polad poleksina polikarp polin polina polly polona polonca pompeo
  pompilia pompiliu pomponio poncio pontus pooja popobawa poppy porfirio porfiriy pornchanok potap poul pouya povilas praba prabawa prabowo
  prabu prakash prakosa prames pranata pranav pranawa praneel pranit prasetya prasetyo prashant praskovya pratyush pravda praveen pravoslav
  prayitna prayoga prayogo preben predrag preeti premysl presa preston priit prima primitiva primitivo prina prisca priscah priscila
  priscilla priscillah prisha priska priya priyanka profira prokhir prokhor prokl prokofiy prokop proletina prostisveta prudence prudencia
  prudencio prvoletka przemyslaw puccio puck puji puk pumbaa punhan puntira pupi puput purcek purificacion purity purwa purwadi purwanto
  pushti puspa puti putri putu qaadir qaasim qabeel qabil qadar qadeer qadi qadim qadir qahtan qaim qais qalib qamar qani qanit qaratel
  qareeb qarin qaseem qasid qasif qasim qatadah qawee qay qays qiang qiuyue qiyas qori qosqar quadir quan quang qudamah quddoos qudoos queen
  quentin quincy quinn quinten quinter quinty quique quirino qulam qulu qumru qurban qusay qushi qutaybah qutb qutub raaghib raagini raahil
  raakin raamis raamiz raashid raatib rabah rabar rabb rabbaanee rabbani rabbiye rabea rabecca rabee rabi rabia rabiah rabih rabit racha
  rachael rachana racheal rachel rachele rachelle rachid rachida rachit rachita rachko racho rada radek radeke raden radha radhee radhika
  radi radia radika radim radimira radislav radit raditya radka radmila rado radomir radoslav radoslava radoslaw radostka radosveta radovan
  radovana radu raducu raduz radvile raed raees rael raewyn raf rafa rafael rafaela rafaella rafail rafal rafan rafay rafee rafeek rafeeq
  raffael raffaela raffaele raffaella raffaellino raffaello rafi rafia rafid rafih rafik rafila rafiq raghav ragheb raghib ragna ragnar
  ragner ragnhild rahab raharja rahat rahayu raheel raheem rahel rahiye rahma rahman rahmat rahmet rahmi raid raihan raija raik raili raimo
  raimondo raimonds raimund raimundo raina rainer rainka raisa raissa raivis raivo rajab rajata rajeev rajesh rajeshri rajko rakesh rakide
  raksha ralf ralph raluca rama ramadan ramadhan ramazan ramesh rami ramid ramil ramina raminta ramiro ramiz ramon ramona ramunas ramune
  ramya ramzi rana ranbir rancho randall randolf randy randyu rangel rangga rani rania ranieri ranveer raoul raphael raphaela raphaelle
  raquel rares rasa rasate rasha rashid rashidi rashko rashmi rasho rasim rasma rasmus rastislav rasul ratchanon ratibor ratih ratmir ratna
  raul rauno raven ravi ravindra ravy rawan rawiri ray rayaan rayan rayana rayen rayhona rayla raymond raymonde raymund raynichka rayu
  rayyona razi razvan rcho reagan rean rebeca rebecca rebecka rebeka rebekah rebekka rebihat recep recepali reda redmond reece reem reet
  refet refik regan regina reginald regine regis regitse regitze regula regulo rehaan rehema rehime rei reidun reijo reiko reimar reimer
  reimund rein reina reinald reinaldo reine reinel reiner reingard reinhard reinhardt reinhart reinhild reinhilde reinhold reinis reino
  rejane reka rekha reksa remazan rembrandt remedios remi remigio remo remus remy remzi rena renaat renan renata renate renato renaud rendy
  rene renee rengiya rengul reni rens renske renzo reshoni resi respati restu resulcan reto reuben reva revka revza rex rexhep reyansh reyes
  reyhan reyna reynaldo reza rezin rezzak rhavi rhian rhianna rhianne rhiannon rhoda rhona rhonda rhys ria riad rian riana rica ricarda
  ricardas ricardo ricards riccardo ricciotti richard richardt richerd rick rickard rickey ricky rico rida ridhi ridwan rie rifkiye rigmor
  rigo rigoberto rihards riikka riina riitta rik rika rikard rikke riku riley rim rima rimante rimma rina rinaldo rini rino rinor ris
  risalet risasi rishi risper risto ristya rita ritt ritu ritva riya riyad riza riziki rizki rizvan rnest roan roar rob robbe robbie robby
  robert robertas robertina roberto roberts robin robinson robiya robrt robyn rocco rochdi rochelle rochus rocio rodah rodan roderich
  roderick rodger rodgers rodica rodion rodney rodolfo rodolphe rodrigo rodrigue roel roeland rogelina rogelio rogena roger rogers rohaan
  rohan rohat rohit roise roisin rojnu rojus rok rokas roko roksan roksana roksolana roland rolandas rolande rolando rolands roldan rolf
  rollande romain romaine roman romana romane romanita romano romel romelina romen romeo romil romina romoleta romolo romuald romualdas
  romul romulo romulus romy ron rona ronal ronald ronaldo ronan rongrong ronith ronja ronke ronni ronnie ronny rono rony ronya roope roos
  roosa roque rory rosa rosalba rosaleen rosalia rosalie rosalina rosalinda rosalinde rosalva rosamel rosanna rosanne rosaria rosarie
  rosario rosaura rose roseanna rosel roselina roselinde roseline roselyn roselyne rosemarie rosemary rosen rosenda rosendo rosenka rosetta
  rosette rosi rosie rosimir rosina rosislava rosita roska rosko rosl roslyn rosman rosmarie ross rossa rossana rostam rostiana rostimir
  rostislav rostislava roswita roswitha rosy rotich rotraud rotraut rouven rowan rowena roxana roxane roxanne roxelana roy roya royal royo
  roza rozalia rozalija rozalin rozaliya rozana rozeta rozin roziya rozka rozotsvet rozsa rua ruairi ruari rubani ruben rubeyda rubiela
  rudecindo rudi rudiger rudite rudo rudolf rudolfs rudolph rudra rudy ruedi rufina rufino ruggero ruggiero rugile ruhide ruhiu ruhsat
  ruhshona ruhugul rui ruijie ruin rukia ruknettin rumaysa rumeysa rumislava rune rungo rupert ruperta ruperto ruqayya ruqiya rusaliya rusen
  rushil ruska ruslan rusman rusne russell rusul rut ruta rute ruth ruthild ruwaihim ruxanda ruxandra ruy ruza ruzena ruzhka ruzica ryan
  ryder rym ryma ryo ryohei ryosuke ryota ryszard ryte rytis ryurik rza saabir saad saadat saadatu saadiq saafir saahir saaiq saajid saal
  saalih saalim saanvi saaqib saar saara saariyah saba sabah sabahat saban sabar sabari sabas sabatino sabbir sabeeh sabettin sabih sabihe
  sabil sabin sabina sabine sabiq sabir saboor sabri sabrina sabur saburah sacha sachi sachiko sachin saci sad sadaka sadan sadao sadaqat
  sadat saddam sadeed sadeti sadia sadie sadik sadiki sadiman sadina sadiq sadittin sadiya sadiye saeed safaa safari safet safia safii
  safina safinaz safiri safiya safta safura saga sagcan sagit sahar sahat sahdiye sahigul sahil sahin sahinbey sahinder sahir sahlar sahmar
  sahmettin sahnaz sahnuray sahra sai saida saidi saiful saim sair sairah saire saka sakari sakhoriya saki sakina sakip sakir saksham sakti
  sakura salah salami saleh salem sali salih salim salima salimah salimet salina salkin sally salma salman salohiddin salome salomea salomey
  salomon salsabila salud salurbay salvador salvatore salvi salwa sam samahat samaksh samama saman samandar samanta samantha samar samarth
  sameh samesh sami samia samiah samiha samil samina samir samira samiya sammy samo samson samsul samu samuel samuele samuil samuli samurtay
  samwel samweli samxal samy sana sanavber sanaya sancak sancar sancho sanda sandalio sandeep sander sandi sandile sandis sandor sandra
  sandrine sandro sandu sandy sanela sangeeta sangwoo sani sanije sanita sanja sanjar sanka sanli sanna sanne sanni santa sante santeri
  santiago santino santos santosh sanur sanya sanziana saoirse saood sapa saphira sara sarabi sarafina sarah sarai saraya sardor sargin sari
  saricabay sarina sarita sarka sarlota sarmite sarpkin sarthak sarunas sarunporn sarvan sarvar sarvinoz sarya sasa sascha sasha sasho
  saskia saso sathvik satia satomi satrettin satu saturnina saturnino satya saul saulius saumu saumya saundra saurabh sauti sava savak
  savannah saveliy saverio saveta savina savita savki savni savva savvatiy sayaka sayali sayan saydam saygin sayin sayrak sayuri sazime
  scarlet scarleth scarlett scarlette scot seamus sean seana seanan seaneen seanna sebakhtin sebastiaan sebastian sebastiano sebastiao
  sebastien sebastijan sebastjan sebattin sebigul sebla secgul secme seda sedat sedef sedefcho sedife sefer sefi sefiye segilola segismundo
  segundo seha sehamet sehel sehreban sehza seif seija sejda sekim selaheddin selale selam selatin selcan selcen selcuk selen selena seler
  selim selime selin selina seline selivan seliverst selma selmin selvi semat semen semenarka semender semenica semine semir semra semrin
  semsettin semsinisa sena senad senan sencar sendogan seniha senkal senko senn senna senne sennur senol senta seojun seona seosamh seoyeon
  sepideh sepp seppe seppo septi seracettin serafeddin serafim serafin serafina serah seraina serban serda seref sereina serena serezli
  serfinaz serge sergei sergej sergelinka sergey sergio sergiu sergius sergiy serhatmehmet serine serkan serma serman sernur serol serpil
  servac servinaz seslav sessa seth setya sevan sevar sevara sevastin sevastyan sevcan sevda sevdalin sevdan sevdelina sevdi sevdinar seve
  sevelin sever severiano severin severina severine severino severo seveta sevgen sevginur sevican sevil sevim sevinc sevinch sevindik
  sevket sevketfeza sevla sevsevil seyda seydo seye seyfulla seyfullah seyhan seyithan seymur seyran seyyide sezal sezen sezginbas sfiso
  shaban shadi shadrack shahina shahnoza shahram shahriyor shahzod shahzoda shaimaa shakila shakira shalini shamsuddeen shan shana shane
  shani shania shanice shankar shanko shanna shannan shannen shannon shanou shari sharlene sharo sharon shaun shauna shauneen shaurya
  shawana shawn shawna shay shayne shchedra shchedrin shchedyu shchefaniya shcheki shcheno shchenyu shcheriana shcherion shcheriyan shcherko
  shchero shcheryu shchiliyan shchilyan shchilyanka shchiryan shchono shchrban shchrkan shchtilka shchtrban shchtrkan shchurk shea sheamus
  sheela sheelagh sheena shehu sheila sheilah sheilla sheillah shekherezada sheki shekoni shelby shelia shelley shelly shem shena sheng
  shenko shenol sheree sheri sherif sherri sherry sheryl sheyna shibil shida shider shiela shigeru shih shilpa shinead shinichi shinji
  shinka shinko shino shiori shipchan shirin shirko shirley shishman shivani shivansh shkodri shmilo shmulyu sho shohei shohjahon shohrux
  shona shota shpilko shpresa shqipe shravya shreya shruti shu shufen shukrona shusho shuying sian siavash sibel sibila sibilla sibille
  sibonelo sibongile sibusisiwe sibusiso sibylla sibylle sidar siddharth sider sidiq sidki sidonia sidoniya sidor siebe siegbert siegfried
  sieghard sieglinde siegmar siegmund siegrid siegried siegrun siegward siem sien siena sienna sierra sifa sifonya sifuna sigfrid sigfrido
  sigfried sigge sigismund sigita sigizmund siglinde sigmar sigmund signe sigrid sigrun sigurd sigvard sihawukele siim siiri sijuade sil
  sila silagi silan silantiy silanur silas sile silja silje silke sille silondile silva silvan silvana silvano silvester silvestr silvestra
  silvestre silvestro silvi silvia silvian silviana silvie silvija silvio silviu silviya silviyan silvo silyan silyana sima simao simas
  simber sime simen simeon simi similoluwa simina simion simisola simiyu simo simon simona simonas simone simonetta simonne simphiwe
  simphiweyinkosi simten sina sinaida sinan sinasi sindre sindy sinead sini sinica sinikka sinisa sinklitikiya sintija sintiya siobain
  sioban siobhain siobhan siofra sione siper siphesihle sipho sirac sirap siri sirin sirivan sirje sirkka sirman siro sirpa sirriye sirzad
  siska sisko sisoya sissel sithembiso siti sitiwat sittik sittikorn siv sivert sivi sixi sixten sixto siya siyabonga siylihan siyu sjoerd
  skaidrite skakalka skender skolastika skorbut skye skyla skylar sladjana sladoledka slamet slav slava slavdo slaven slavena slaveya
  slaveyko slavi slavica slavil slavisa slavka slavko slavomir slavomira slawomir slobodan smaranda smekhoterapiya smilte smirna smita smith
  sneha sneider snezana snezhana snezhinka snizhana snjezana socorro sofi sofia sofiane sofie sofija sofiya sofiyka sofon sofron soheil
  sohrab sohret sokmen sokrat solange soledad soleh solene soliha soline solma solmaz solomiya solomon solveig solvej solvita somadina
  somtochukwu son sona sonad sonali sonata sondre songul songurkan sonia sonja sonke sonnur sonny sonya soojin sophia sophie sophy sora
  soraia sorana sorawut soraya sorcha soren sorin sorina sorine sosimo sotaro souad soufiane souma soumia sowande soydaner soykan soykut
  soyler soyselcuk sozer spartak spas spasena spasiyana spela spencer speranta sphiwe spirela spiridon srecko srinivas srinivasan srmenka
  ssu stacey stacie stacy staffan stamatka stan stana stanca stancu staniela stanimir stanimirka stanislaus stanislav stanislava stanislavs
  stanislaw stanka stanko stanley stasha stavisara stavros steen stef stefaan stefan stefana stefani stefania stefanie stefanija stefano
  steffen steffi stefica stefka stein steinar stela stelian steliana stelina stella stellah stellan steluta sten stepan stepanka stephan
  stephane stephanie stephany stephen stephene sterre steve steven stewart steyana stian stien stig stijn stilla stina stine stiven stjepan
  stoimena stojan stoletka stoyan stoyanka stuart sture suat suayp subhan subomi subramanian subutiye sucaettin suchitra suci sudha sudhir
  sudi sudiksha sue sugra suha suhail suhani suheyda sukhwinder sukri sukru sukufe sukur suleiman suleyla suleyman sulhi sultane sumayya
  sumerya sumeyye sumit sunay sune sunel suner sungara sunghoon supasit supasita suphi suresh surya susam susan susana susanita susann
  susanna susannah susanne suse susen sushma susi sussanne sussie suus suvakit suvari suvi suwijuk suzana suzanna suzanne suze suzer suzette
  suzi suzy svante svatopluk svatoslav svea svein sven svenja svenning sverre svestina svetla svetlana svetlomir svetlomira svetlyu
  svetoslav svetozar svezha svidna svitlana svobodka svyatopolk svyatoslav svyatoslava swala swaleh swantje swati swen swetlana syahrini
  sybilla sybille sydney sylivia sylke sylvain sylvaine sylvana sylvere sylvester sylvia sylviane sylvianne sylvie sylvio sylwia synnove
  szabolcs szilard szilveszter szilvia szymon taahaa taahir taaj taalib taamir taanish taariq taban tabassum tabea tabish tabita tabitha
  taciddin tacnur tadas tadashi tade tadeas tadeen tadej tadeja tadeo tadeusz tadhg tafadzwa tafazal tagangul tage taha tahaw tahawwur
  taheem tahir tahmaseb tahmeed tahmid tahoor tahseen tai taial taichi taimur taina taine taisir taisiya taisto taj taja tajammal tajammul
  tajudinn tajus takahiro takako takatifu takuma takumi talal talat talayer talha talhah tali talia talib talibe tama tamam tamanna tamara
  tamas tamasa tamati tamaydin tambika tamer tami tamilla tammie tammy tamu tanak tanay tanbay tandogdu tane taneli tangaroa tangul tanguy
  tanhan tania tanimu tanir tanish tanisha tanja tanmayi tanner tanpinar tanses tansev tansig tantri tanveer tanvi tanya tanyolac tanyu tao
  tapani tapio tara tarak taranci taras tarek tarfaan tari tarik tariq tariyel tarja tarmo taro tartis taru tarzicius tasar tasdik tasha
  tashimira taskan tasnim tassilo tasvir taswir tatenda tatiana tatjana tatsuya tatu tatyana taufan taufik tauno tautvydas tawkeel tayaydin
  taygan tayla taylak tayyibe tayyip teber tecimer tecla teddy tedi teea teemu teerth teetat tegan teguh teija teja tejas tejs tekbay
  tekecan tekiner tekla teknaz teksoy telefonka telemaco telim tellervo telman telmo telse temidayo temime temir temira temirhan temistocle
  temitope temizkal temucin tendai tenis tenvir tenzin teo teobaldo teodor teodora teodoro teodors teodosi teodosia teodosio teodosiy
  teodoslav teodostin teofan teofil teofila teofilo teohari teokhar teona tercan tere terence terentiy teresa terese teresia teresiah
  teresita terez tereza terezia terezija terhi terina terje terlan tero terrance terrence terri terry terttu tervel tesa tess tessa tetsuya
  tetyana teun teuta teuvo tevs teybet teymur teymuraz teymurcin tezcan tezol thabani thabisa thabisile thabiti thabo thaddaus thaddeus
  thalente thales thalia thamer thanatcha thandazile thandeka thandiwe thando thanh thao thea theda thekla thelma thembeka thembekile
  thembile thembisile theo theobald theodoor theodor theodora theodore theodoro theodoros theophil theophile theres theresa therese theresia
  thi thiago thiare thibaud thibault thibaut thibo thierry thies thijmen thijn thijs thilo thinh thinhinane thom thomas thor thoralf thorben
  thore thorsten thuo thure thuthukile thuy tia tiago tiana tiara tiare tiarna tiarnan tibe tiberia tiberiu tibo tibor tiburcio ticen
  tichomir tiegan tien tiernan tiffany tigin tigist tigroni tiia tiina tiit tiiu tijl tijmen tijn tijs tikha tikho tikhol tikhomir tikhon
  tilda tilen tiliana tillmann tilly tilman tilmann tilo tim timbul timcho timea timeo timmy timo timofey timofiy timon timotei timotej
  timoteo timotey timothee timothy timur timurtas tina tinal tinca tincho tincuta tindra tine tineke ting tingting tinne tino tira tirdad
  tirta tirtayasa tirza tisa tishk tisho tit titas titi titilayo titin tito titus tivadar tiziana tiziano tjasa toaneta tobias tobiasz toby
  todd tode todomirka todor todoraki todorin todorina todsawun tofiq togan togrul toivo toker toki tokimir tokoz toktug tokunbo tola tolek
  toliana tolonbay tolulope toluwanimi tolyu tom toma tomas tomasa tomasz tomaz tome tomen tomi tominka tomislav tommaso tommi tommy tomo
  tomoko tomori tomoya tomris toms tomurcuk tona toncho tonguc toni tonia tonicha tonimir tonino tonislav tonitsveta tonje tonko tonny tono
  tonu tony tonya toomas toon topalko topias topolko topuz tor tora toralf torben torbjorn tord tore torel torgny torhan tori toribio torill
  torquato torsten toru tory toshio toshka toska totko totso totyu tova tove tovuz tracey traci tracie tracy traian trang transito traude
  traudel traudl traugott traute treacy treasa trendafila trent trevor tricia trifon trifonka triin trina trine trini trinidad trinity
  triona tripti tristan triveni triya troels trofim trokhim trond trong trosha troy trpka trude trudel trudi trufana trung tsai tsaneta
  tsarevna tsetsa tshepo tski tsocho tsola tsonya tsonyu tsotso tsubasa tsuma tsung tsveta tsvetan tsvetana tsvetanka tsvetelina tsvetilena
  tsvetlina tsvetoliliya tsvetyana tuan tuana tudor tudora tudorita tudosia tuere tufani tufka tugcan tugce tugiman tugrulhan tugtas tui
  tuija tukelalp tukufu tulay tule tulia tulin tulio tullio tulun tumer tumkurt tunahan tunar tuncboga tunchanok tunckilic tunde tung tunguc
  tunradee tuomas tuomo turabi tural turan turcan turcein ture turgut turid turkalp turkan turkmen turknur turlough turvi turxan tutkucan
  tutkun tutu tuukka tuula tuuli tuulia tuulikki tuur tuva tuyug tuzeer tuzenur tverdislav tvorimir twan tycho tygo tyla tyler tymon
  tymoteusz tyra tyrone tyson tzu ubaadah ubadah ubaid ubaidah ubaldo ubay ubayd ubaydullah uberlinda uberto ubeydullah ubika ucan ucbeyi
  ucchal ucgul uche uchenna uchita uda udant udarsh uday udeen udeera udo udyati ueli uffe ufukay ugan uge ugne ugo ugolino ugur ugurkan
  ugurtan uhban ujamaa ujunwa ulakbey uldis ulduz ulf ulfat ulfet uliana ulises ulke ulkudes ulkum ulla ulle ullrich ulrica ulrich ulrik
  ulrika ulrike ultan ulu uludag ulugbey uluman ulutay ulva ulvi ulya ulyan ulyana umaarah umair umande umang umar umay umaya umberto umi
  umid ummahan ummahani umman ummet ummuhan umoja umray umusan umut umutcan unal undine unek unggul unjani unlen unnati unni unsever unubol
  uolevi upadhriti upasna upik upkaar upma uraltay urbain urban urbano urfan urfettin urhan uriel urima urishilla urmas urmi uros urper
  urrab urs ursa ursel ursina urska ursula urszula urte urvashi urvi usama usame uschi ushan ushindi usiku usman usmon ustim ustin ustun
  usyi uta utama ute utkarsh utkucan utz uwe uyanser uygun uzbay uzer uzeyir uzima uzsoy vacibe vaclav vadim vafir vagn vahar vahid vahittin
  vaida vaidas vaino vaishnavi vajen vakare vaklina vakris vala valary valborg valda valdemar valdis valeh valentijn valentim valentin
  valentina valentine valentino valer valere valeri valeria valerie valerij valerija valerio valeriu valeriy valeriya valero valery valeryan
  valeska valija vallary valon valter valtteri valya vamakshi vanda vandana vanesa vanessa vangeliya vania vanja vansha vanukhi vanya vaqif
  varenya varfolomey varfolomiy vargin varlaam varlik varsha varta varun varvara vasana vasare vasatika vasco vasenka vashilya vasif vasil
  vasile vasilica vasilina vasilisa vasiliy vasilka vaska vassilios vasudha vasyl vatslav vaughan vavrinec vaysal vazeh vechko vecide veda
  vedant vedat vedhika vedika vedran veer veera veerle veeti vefia vega vegard veijo veikko veis veit vejune veli veliana velimir velinna
  velitdin veliyanka vello velma velta venancio venceslas venchislava venda vendela vendelin vendula venedikt venera veneranda venetsiya
  veniamin venislava veniyamin venkatesh venla vera verde verena verim verislava verner verneri vernon vero veronica veronicah veronika
  veronique vesa veselin veselinka vesislav vesna veso vespasiyan veta vetko vetsa vezat vezhda vezrife vic vicenta vicente vicentia
  vicentiu vicho vicki vickie vicky victoire victor victoria victoriano victorine victorino vid vida vidadi vidal vidar vide videlin viden
  vidhi vidima vidin vidoe vidoslav vidya vidyu viera vieroslava viesturs viet vigalot viggo vigilija vigo vihaan viivi vija vijay vikas
  vikenti vikentiy vikhr vikhren vikhroni viking vikram viktor viktoria viktorie viktorija viktorin viktoriya viktors vildane vilde vilem
  vilgot vilhelm vilhelmiina vilhelmina vilho viliam vilian vilis vilislav vilius viliya viliyan vilizar vilizara viljami viljem viljo
  vilkhema villads ville vilma vilmer vilmos vilnis vilte vilums viman vinay vinaya vince vincenc vincent vincentio vincentiu vincenza
  vincenzo vinchentso vinciane vineta vinetu vinh vinicio vinicius vinko vino vinod vinsen vinsnt vinzenz viola violet violeta violetta
  violette violin viorel viorela viorica vira virag viraj virgilio virginia virginie viridiana virman virpi virzhiniya visar visarion visha
  vishal vishetin vishka vishnyu visitacion vissarion visvaldis vita vitali vitalija vitalis vitaliy vitazoslav vitezslav vitko vitlyan vito
  vitomir vitomira vitor vitoria vitosh vittoria vittorio vitus vivaan vivek viveka vivi vivian viviana viviane vivianne vivien vivienne
  vjekoslav vjollca vlad vladelina vladilen vladilena vladimer vladimir vladimira vladislav vladislavs vladlen vladlena vlado vlaicu vlas
  vlasta vlastimil vlatko vlo vlora voditsa voichita voicu vojtech voldemars volkan volker volkhard volkmar volodimir volodimira voynka
  vratislav vratko vrbunka vreneli vrinda vrishti vritti vsemil vseslav vsevolod vtsa vula vuokko vuqar vurgun vusal vusumuzi vyacheslav
  vyanjana vysheslav vytautas vyte vzkreseniya waahid waail waajid waceera wachira wadee wadi wadood wael wafa wafaa wafae wafeeq wafi wafiq
  wafula wage wahab wahb wahban waheed wahhaab wahhaaj wahyu waida waimarie wainaina wairimu wakeeta wakiman walburga waldemar waldo
  waldtraut waleed walentina walfried walid walli wally walter walther waltraud waltraut waltrud waluyo wamalwa wambua wambugu wambui
  wamwema wan wanda wangari wangila wangui wani wanja wanjala wanjiku wanjiru wanjohi wannes wanyama wanyonyi ward warda wardaya wardi warhi
  waridi warinder warjas warji warre warren warsa warsita warta warwick waseme washington wasin wasis wassaya wassim watika wawan waweru
  wayne wazir weddy weena wei weijie weiming wekesa weldon wen wenceslao wenche wencke wendelin wendolin wendy wenjing wenke wenwen wenzel
  wera werner wesley wesonga wessel whitney wibke widisha widya wiebke wieland wieslaw wigbert wikitoria wiktor wilber wilder wilfred
  wilfredo wilfrido wilfried wilfriede wilhelm wilhelmina wilhelmine wilhelmus wille willem willfried willi william williams willian
  willibald willibert willie willis willow willy wilma wilman wilmar wilmer wilson wiltrud wim winda winfred winfried winifred winni winnie
  winny wira wirda wiremu wishi wisnu witold wladimir wojciech woldemar wolfgang wolfhard wolfram wout wriddhish wridesh wulan wulf wur
  wuraola wyatt wycliff wycliffe xalak xalid xaliq xamis xanana xander xanim xankisi xanlar xaver xavi xavier xenia xia xiaohong xiaojun
  xiaoli xiaoling xiaoming xiaoyan ximena xinyi xinyu xiomara xiti xiulan xiuying xobeen xolid xosrov xuan xudaverdi xudayar xudu xuemei
  xumar yaa yaaseen yablen yablenka yachana yacho yacine yada yadavi yadid yadigar yadira yael yafi yafir yaghnam yagin yagizkurt yagnesh
  yago yagoda yagodin yahia yahsi yahsikan yahvi yahya yahyaa yahyo yair yaiza yakim yakiv yako yakob yakobo yakoslav yakov yakub yalazabay
  yalcin yalgin yalin yalislava yaltirak yaman yamar yameen yamid yamile yamilet yamin yamini yan yana yanachko yanadin yanaki yanakin
  yanara yance yanche yancho yane yanedin yaneg yanek yanet yaneth yanfei yang yani yanichko yanick yaniel yanik yanimir yanina yanira yanis
  yanisa yanislav yanislaviya yanka yanki yanko yankul yann yannic yannick yannik yannis yano yanomil yantar yantsislav yanuariy yanush
  yaqeen yaqiong yaqoot yaqub yar yara yarcho yarema yargi yarina yaritza yarka yarm yarno yaromir yaropolk yaroslav yaroslava yartse yaryu
  yasaar yasan yasar yasattin yaseen yasemen yasemin yasen yasena yaser yash yashar yashasvi yashawini yashem yashica yashka yasho yashoda
  yashodhara yashon yashvi yasin yasina yasinta yasir yasmin yasmina yasmine yasna yasser yassin yassine yasti yastreb yasuhiro yasuko yasuo
  yatan yatana yathrib yatin yatso yauvani yavor yavora yavuz yaw yawar yawer yayak yazan yazeed yazganalp yazgul yazmin yazo yda yecid
  yeferson yefrem yeimy yeison yejide yejin yekbun yekda yelesen yelisaveta yelisey yeneral yeni yenifer yenny yeno yeny yepelek yeraz
  yeremiya yergha yerko yerson yertan yesenia yesica yesid yesil yesoob yessenia yessi yessica yetisal yetunde yeva yevgen yewande yfke
  yichen yifan yigit yihan yijun yildir yildiz yilma yilmaz yimeng yina yineth ying yingying yinthe yiran ylenia ylva ylvi ylvie yngve yoan
  yoana yoann yoanna yocelyn yochana yoga yogesh yohan yohana yohane yoichi yoil yokhanna yoko yolal yolanda yolande yolima yolina yoliyan
  yolko yona yonatan yonathan yonetmen yong yongjun yonika yono yoom yoona yordan yordanka yoruc yosef yoselin yoshiko yoshita yosip yosma
  yosuke youba youcef younes younghee youngho youri yousef yousra youssef yovan yovanka yovcho yovitsa yovko yovo yovro yovtso yozhi yrjo
  yrsa ysaline yuan yucel yucelen yuchen yudy yueh yuehua yug yugi yuhan yui yuichi yujie yuka yukari yukhim yuki yukiko yulan yuli yulia
  yulian yuliana yuliena yulieth yuliy yuliya yuliyan yuly yumi yumiko yumun yun yung yuni yunis yunita yunona yunt yunus yurani yurany
  yurdan yurdanur yurdaser yureed yuri yuridia yurita yuriy yurtguven yurtseven yurttas yury yusif yussuf yustianna yustim yustin yustina
  yustinian yusuf yuta yutaro yutika yuting yuto yuvenaliy yuvraj yuxuan yvan yves yvette yvon yvonne zaafir zaahid zaahir zaakir zabir
  zablon zac zacarias zach zacharia zacharias zacharie zachary zackariya zaeem zaeka zaenab zafa zafar zafeer zafer zafir zafrul zahaar
  zaharia zaheer zahfer zahi zahid zahir zahnya zahra zahri zahro zahrun zahur zaib zaid zaida zain zainab zainabu zaira zaitra zaituni zak
  zakaria zakariyo zakayo zakhar zakhari zakharin zakharinka zakhele zakho zakir zakiyaxon zalan zaliha zalindra zaman zamfir zamfira zamin
  zamiq zamir zamira zan zane zanele zaneta zango zanis zanka zanko zansi zapryan zara zarar zaraza zarina zarko zarna zashil zauqi zaur
  zavarin zaven zaweel zayan zayd zaynab zayyan zayyir zbigniew zbynek zdenek zdenka zdenko zdislava zdravcho zdravelin zdravelina zdravets
  zdravko zdukhostina zebirce zeferino zehaan zehao zehnia zehra zehranur zejna zekayi zeki zelaya zelda zelha zelie zeljka zeljko zelma
  zelmira zemfira zemyna zemzem zende zengin zenia zennun zeno zenobia zenon zenovia zenta zenzele zenzile zerafet zerdad zeride zevlude
  zewad zeynal zeynelabidin zeynep zeyno zeynulla zgura zhaklin zhanin zhanna zhara zharko zhelyazka zhenimira zheyna zhichka zhiqiang zhiva
  zhivomira zhiwei zhongwei zhorka zhuliana ziad ziba zibuyile ziedonis ziga ziggy zigmund zigrida zihan zihni zika zikmund zilfa zilmil
  zimran zina zinaida zinal zineb zinhle zinko zinnura zinnure zinovi zinoviy zion zipporah zita ziva zivile zixuan ziya ziyaettin ziyi zizi
  zlatan zlateya zlati zlatica zlatil zlatimir zlatiyan zlatka zlatko zlato zlatogor zlatomir zlatomira zlatoslav zlatoslava zlatotsvet
  zlatozar zoe zoey zofia zofie zofija zohrehan zoichka zoila zoja zoltan zora zoraida zoral zoran zorica zorka zoryan zosima zoya zsanett
  zsigmond zsofia zsolt zsombor zsuzsanna zuba zubayr zubeyde zufer zuheyla zuhri zulaikha zulbiye zulema zuleyxa zulfa zulfuye zulgarni
  zulma zumaridi zumre zumrud zunilda zuwayhir zuwena zuzana zuzichka zvezdan zvezdemira zvezdin zvezdislav zvezdiyan zvezdolet zvezdomir
  zvonka zvonko zwatie zygimantas
`
