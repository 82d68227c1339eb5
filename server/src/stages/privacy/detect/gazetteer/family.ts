/** Family names of many countries in Latin letters without accents, lower case, sorted; without common words and without those that an ending tells. Gathered from the lists of Faker (MIT) and our own. */
export const FAMILY = `
  aaaqil aabid aadam aadil aalam aalto aalts aamil aamir aamirah aanei aarden aarif aariz aarts aas aasa aasif aasim aasmae aatiq aavik
  aazim abaan ababei abad abada abarca abascal abatantuono abate abba abbad abbagnale abbas abbasi abbasli abbasov abbassi abbes abbosov
  abbott abdalla abdallah abdelaziz abdellaoui abdi abdiaziz abdifatah abdikadir abdille abdinoor abdirahman abdou abdow abduazizov
  abduboriyov abdulhamidov abdulla abdullah abdullahi abdullohov abe abed abel abele abella abellan aberhart abernathy abicic abid abiola
  abola abolina abolins abols aboraa abou abouda aboukir abrafi abragamovskiy abraham abramczuk abramov abrassart abrego abreu abril abshire
  abubakar abuga aburto abwao accardo acedo acerbi acero acevedo achaorainn acharya achberger acheampong achebe achieng achison achleitner
  achola achour achouri achtelik ackerl acosta acuna adadia adam adamaszek adame adamec adamiuk adamow adams adamson adamu adan adasme adda
  adebayo adebisi adegbite adegoke adekunle adelaar adelakun adeleke adelusi ademiluyi aden ader aderibigbe aderogba adetokunbo adeyemi
  adeyemo adhiambo adinolfi adisa adjei adkins adler adolph adoma adomah adomako adongo adow adriaensdr adriaense adriaenssens adrian
  adriansyah adryaens adu adusei adutwum adutwumwaa adwubi aebi aeby aedo aeije aerts afanasev afanasjev afirifa afoakwa afolabi afonja
  afrakomaa agarwal agate agazzi aggarwal aghas agnesi agnew agrawal agren aguado aguayo agudelo agudo aguero aguila aguilar aguilera aguilo
  aguirre agullo agurto agusti agustin agustina agyapomaa agyapong agyare agyei agyeiwaa agyeman agyemang ahearn ahearne ahern aherne
  ahlgren ahlin ahluwalia ahmad ahmadi ahmadov ahmed ahn aho ahola ahortor ahuja ahumada aichholzer aichinger aigner ailin ainmneach
  ainsboro airmeas aissani aissaoui aitken ajao ajayi ajello ajewole akar akbari akca akcay akdeniz akelis akello akerman akgunduz akhtar
  akinrinola akinwale akinyi akmacic akoaa akoth akoto akowua aksu akumu akyaa akyeampomaa akyeampong akyena alabi alamo alanko alaoui
  alarcon alas alatalo alba alber alberdi albero alberola albers albert alberto albin alboni albornoz albrecht albu albuquerque alcala
  alcalde alcantar alcantara alcaraz alcazar alcolea aldobrandi aldridge alegre alegria alejandro aleksa aleksander aleksandrzak alekseev
  aleksiejuk aleksyuk aleman alemany alemdar alemu alex alexander alexandre alfaro alfarsi alfieri alfonsi alfonso alghamdi alharbi ali
  aliaga alighieri alio aliyev alksne alksnis allain allal allali allan allard allas allen allende allendes aller allerby allik allis
  allison alm almagia almagro almansa almanza almaraz almazan almeida almgren almonacid almonte almutairi aloba aloisio alonso alonzi alonzo
  aloo alotaibi alqahtani alsina altamirano altenwerth altera aluoch alva alvarado alvaro alve alvear alves alzate amador amahle amaldi
  amalrada amara amaral amari amat amato amaya ambani amble ambrasas ambrozic ambrozik ameur amidzic amigo amina ammaniti ammari amo amoa
  amoah amoako amoakowaa amoanimaa amoasi amoit amon amondi amor amores amorim amoros ampadu ampofo ampofowaa ampoma amponsa amponsah
  ampuero amrane amrani amrein amri amrouche anand anarqizi anastasi anaya anciaux anderl anders andile ando andorful andra andrade andras
  andrasek andrasik andreasik andreev andrejczuk andren andreotti andreozzi andres andreu andrew andrews andreyko andriani andries
  andriyevich andriyishin andriyishina andriyovich andruszko andrys andrzejuk andziak anekvorakul anele angarita angel angeli angerer
  anggriawan angiolello anglada anguiano anguillara anguissola anguita angulo angus angwenyi anicic anima aniola anisimov anissimov anjos
  ankra ankunding anne annsboro annus anokye ansa ansari ansboro ansems ansomaa ansomah antal antelami anthony antic antoine anton antonacci
  antonello antonic antonioni antonucci antony anttila antunes antwi antwiwaa anyango anyanwu anyona aoki aoko apablaza aparecida aparicio
  apine apinis apiyo apodaca apondi aponte aporti apostel appelman appia appiah apsite apsitis apte arab aracena aragao aragon aragones arai
  aramburu arana arancibia aranda araneda arango aranguiz araujo aravena araya arazli arboleda arce archambault archer archuleta arco arcos
  ardelean ardianto ardila arellano arend arendt arens arent arevalo argan argentero argenti argento arguello argurio arias ariasso aribi
  ariens arino ariosto ariza arjona arkhimovich arkhipov armani armas armata armatys armendariz armengol armenta armijo armstrong arnaiz
  arnal arnau arnaud arnold arnott arnould aro aroca aronets arora aros arranz arredondo arregui arreola arriaga arriagada arribas arrieta
  arro arroyo arsenault arsenich arslan arsoy arteaga artemev arthurs artigas artim artimishin artimishina artimovich artner arts artyukh
  aru arula arya aryani arzulu asadov asamoa asamoah asante asantewaa asare asaula aschauer aschman asenjo asensio asenso ashe ashley ashman
  ashton asiama asiedu asieduwaa aslan asmundo asp asprucci asselin assuncao astete astorga astudillo astuti ata ataa atamanyuk atanasov
  atchison athman atieno atienza atkins atkinson attia atwal atzler aubert aubry audet auer aufderhar auger augustin augustynek auinger
  aulenti auma aun aune aunina aunins auraq aurora aus austermuhle austin autio auzina auzins avalos avdeev avendano avery avila aviles
  avotina avotins awadh awadil awamil awani awinja awino awj awmar awodiran awolowo awuah awuor axundlu axundov ayaan ayad ayadi ayala
  ayamin ayanda ayandokun ayers ayieko ayize ayllon aylward ayoola ayoub ayubov ayuma ayuso ayyubi azban azcona azevedo azhazha azizi azizov
  aznar azocar azorin azzouz baa baafi baah baaqir baaree baashir baasim baasit baawia babak babanli babar babati babato babbo babey babic
  babich babij babiuch babiy babjak babka babko babol babtunde babu baca bacaeir bacaer bacak bach bacha bachanek bacher bachinger bachler
  bacia bacic bacik backes backman bacosi badal badami badan badel bader badia badilla badillo badoer badoglio badu bae baek baele baena
  baert baeten baetens baeyens baez baeza baggio baghdadi baglioni bahamonde bahamondes baharia baharli bahati bahena bahl bahloul bahna
  bahno bahon bahr bahri bahringer bai baier baig bailey bailis bailly bains baird bairead baisceir bajaj bajak bajamonti bajan bajardi bajc
  bajko bajwa bak baka bakare bakari baker bakhouche bakhti bakiera bakke bakken bakker baklan baksa bakshi bakun bal bala balaban balaguer
  balakrishnan balan balas balasubramanian balatinac balawender balay balaz balazs balazy balbi balbo baldauf balderas baldick baldwin
  baldys bale baleegh bali balic balik balincic balint balistreri baljak ball balla ballard ballester ballesteros balmat balode balodis
  balog balogh balogun baltins bambad bamidele bamiloye bana banak banas bancerz banda bandello bandera bandeville bandi bandura bandurka
  bandyk banek banerjee banik banko bann bannon bano banos banovac bansal banuelos banville bany banys banzer bappa baptista baquero
  barabash barac baracca barad barahona barajas baraka barakat baral baran baranets baranik baranka barannik barasa baraza barba barbarigo
  barbe barber barbera barbero barbey barbic barbier barbieri barbieux barbir barbora barbosa barbu barcaccia barcella barcelo barcena barco
  barcz barczuk barej bareja barela barents barer barese baresi baresic bargetze baria baric barillaro barillon barisic barker barkholz
  barlog barlow barman barna barnaba barnes barnett barneville baro baroffio baroid barok baron barongo barozzi barra barracco barragan
  barral barranco barraq barraza barre barreda barrena barrera barreto barrett barria barrientos barriga barrio barrios barrnette barron
  barros barroso barrows barry barsanti barta barteczko bartel bartela bartell bartels barth barthel barthelemy bartl bartley bartman
  bartocha bartoli bartolome barton bartos bartosik bartoszak bartus barun barusic bary bas basa basaam basadonna basaj basak bascunan
  baseer bashaar bashaarat basheerah bashir bashirian bashtan basista basko basnec baso bass bassett bassi basso bastek baster bastiaanse
  bastiaense bastias bastida bastidas bastien bastin basu baszak bataglia batal batalla batchelar bates bath batig batista batliner batlle
  batog batool batra batrac batrnek batta battaglia battig battisti baturinets batyuk batz bauch baudoux baudry bauduin baumbach baumgart
  baumgartner baur bausch baustert bautista bauwens bauza bava bavaud bave bawa bawol baxter baya bayda baydak bayeni bayer bayo bayon
  bayona bayrak bayramov bazela bazilevich bazilevskiy bazin bazjak bazydlo bazyluk bazzi beahan beakey beal beale bean beard beasley beasty
  beataigh beattie beatty beauchamp beaudoin beaudry beaujean beaulieu beauregard bebeshko bebic beccaria beccheria becerra bech becht
  bechtelar beck becker beckers beckius bedard bedi bednar bednarek bednarik bedoya beeckman beekman beer beernaert beernink beffa beffort
  beggan beggs begley begonja begue beguelin beguin begum behan behl behrendt behruzov beier beijring beireach beirn beirne beissel bejarano
  bejger bejm bejma bek beka bekaert bekbergen bekele beker bekus bela belaid belaidi beland belanger belarbi belbachir belda bele beletic
  belhadj belisle beljajev belkacem belkacemi belkadi belkheir belkhiri bellemans bellido bello bellocchio bellucci belmans belmar belmonte
  belousov belpere belton beltran belyaev belz belza bembenek bembo ben bena benabdellah benahmed benaicha benaissa benali benamar benamara
  benameur benaouda benard benavent benavente benavides benavidez benchapatranon bencheikh bencic bender benes benet benic benigni benitez
  benito benjamin benmoussa bennani bennet bennett beno benoit bensaid bensalah bensalem benslimane benson benthin bentley benton benus
  benussi benyahia benyamina benyoucef benz benziane beourgeois bera beran beranek berberat berchem berchtold berdzik bereda berek berends
  berendse berendt berengario berenguer beres beresford bergant bergdahl berge berger bergeron berggren berghmans bergin bergkvist bergman
  bergnaum bergoglio bergsten bergstrand bergvall berkahn berkane berkani berlusconi bermejo bermingham berminghim bermudez bernaards bernad
  bernal bernard bernardi bernardic bernasconi bernat bernatek berner berney bernhard bernie bernier bernolak berre berrios berrocal berry
  bersani berscheid bertels bertemes berthelot bertho berthold bertin bertoli bertolucci bertoni bertosa bertran bertrand berube berus
  bervoets berzina berzins besancon besencon besnard besse betancourt betancur betka betlej betschart bett bettahar bettendorff bettin
  bettoni beuchat beuret beurret bevan bevc bevilacqua bevz bey beyens beyer bezak bezborodko bezditko bezemer bezic bezjak bhagat bhailis
  bhakta bhalla bhandari bhardwaj bhargava bhasin bhat bhatia bhatnagar bhatt bhattacharya bhattacharyya bhatti bhavsar bhebhe bhedleni
  bhejelibomvu bhembe bhengu bhensela bhovungana bhungane biagi biagiotti bialach bialasik bialk bialka bialous bianchi bibi bicak bicanic
  bicek bichler bicz bidas biegala bielas bielat bielen bielik bien bienia bieniak bieri biernacik bierstraten biesaga biesek biesty bieszke
  biggen bignami bignardi bigot bii bijelic bik bikelwayo bikwayo bilaal bilbao bilek bilge bilgin bilik bilir bilka bilko billung bilodeau
  binaghi binda bingula binner bintner bintz bir birch birgen birkeland birkic birmingham biro birtic birzniece birznieks bisaga bischof
  bishell bishop biswas bite bitner bitschnau bittner biver biwer biwott bixio biyase biyela bizhan bizjak bjelis bjork bjorkman blaak
  blackburn blackwell bladek blagaic blaha blaho blair blais blaise blake blanc blanca blanch blanchard blanche blanchet blanchette blanco
  blanda blanes blankenship blasco blaser blasi blasik blaszyk blatnik blauensteiner blaut blazej blazejak blazek blaziak blazic blazicko
  blazquez blees blevins blewanus blick blin blixt bloch bloemendaal blokhin blokhina blokland blom blomgren blomkvist blommaert blomme
  blondeel blondel blondiau blonk blose blot blouin blowick blum blumel bluszcz boada boadi boadu boaga boahen boakye boakyewaa boase
  boatemaa boatemaah boaten boateng boba bobadilla bobak bobal boban bobel bobev bobik bobko bobryk bobula bobylev bocca boccaccio boccioni
  bochnak bochnia bochud bociek bock bodaicin bodart boddaugh bode bodek bodhlaeir bodhlaer bodin bodkin bodnar bodner bodoni bodson boduch
  bodych bodzak bodziony boe boechat boeckx boehm boer boers boeser boetet boezio bogadi bogaert bogaerts bogan bogdal bogdan bogisich
  bognar bogner bogumil boguta bohan bohlander bohler bohlin bohm bohman bohnbach bohorquez boiardo boichat boillat boily boisvert boitani
  boito boivin boix bojanic bojarczuk bojczuk bojdo bok boke bokenkamp boksa boland bolander bolanos boldu bolduc boles bolger bolin bolivar
  boljkovac bolkesteijn bollen bolliger bolnbach bolton boman bombieri bompiani bona bonanno bonar bonatti bonaventura bonaya bonbach
  bondaruk bondra bondumier bondyra boner bones bonet bongiorno boniface bonilla bonino bonneau bonner bonnet bonnin bonolis bonomo bonsra
  bonsu bonte bonvin booden boogaerts booker boon boone boonpungbaramee booth bophela bora borah borak borbely borde bore borejko borek
  boreland borer borg borges borghese borgia borik boris borisov borissov borja bork borka borko borman borner boros borosak borovsky borovy
  borquez borra borrani borras borrego borrell borremans borromeo borroni bors borsellino borsiere boru boruc borun boryczko borysiak
  borysiuk borzomi borzych borzym bosak bosch bosco bose bosek bosibori bosilj bosio bosire bosman bosmans bosnak bosnjak bosshard bossi
  bossuyt bosurgi botella botello botha botham botic botica botor botsford botta bottaro botteron bottigliero bou bouabdellah bouafia
  boualem bouali bouaziz bouazza boubekeur boucetta bouchama bouchard bouchareb bouchat boucher bouchet bouchez bouckaert boucsein boudart
  boudewijns boudiaf boudjemaa boudraa boudreau bouguerra bouhuizen bouillon boukhalfa boukhari boukhatem boulanger boulay boumaza
  boumediene bounab bourdon bourgeois bourguignon bourke bourquard bourquin bousquet boussaid boutaleb bouthoorn boutin bouvet bouvier
  bouziane bouzid bouzidi bovet bovy bowater bowden bowe bowen bowers bowler bowles bowman boyabenyathi boyce boyd boyer boylan boyle boyse
  bozanic bozic brach bracha brachman bracke bracun bradden bradford bradic bradley bradshaw bradtke brady braem bragadin bragaglia bragin
  bragina brahier brahimi brahmbhatt brahmi brakus bralic bramante brambilla branaola brancaccio branciforte branco brandenburger brandic
  brandl brandner brandon brands brandstatter brandstetter brandt brandtner branka brannelly brar brassard brasseur brassil bratukhchev
  brauer braun bray brcko breasail breathnach bree breen bregar bregula breheny brejnak brekke brenna brennan brenner bres bresciani brese
  breslin bresnehan bresse breton brett breuer breugelensis breugelmans brewer brezina brezjan breznik briain brian briand briccialdi
  briceno brichard brichese brick bridson briede briedis briemer brien briere brievingh briggs brink briody briones brisee briseno brislane
  brito britvec briutean brizee brlas brlek brletic brock brodawka broderick brodin brodka brody broeckx broeders broek broekhoven broeshart
  brogan brojek brolin broman broncel bronder broniarek broniek bronka brookes brooks brophy broquet bros broschi brosius brosnan broughan
  brouwer brouwers browne browning broy broz brozda bru bruadar bruce bruck bruckner bruder brudny bruen bruggeman brugger brugman brugnaro
  bruiseal brumleve brun bruna bruneau bruneel brunel brunelleschi brunello brunet brunner bruno brunovsky brus brusko bruton bruun bruyere
  bruyninckx bruynzeels bruzda bryant bryda brygola bryja bryndza bryson bryzek brzakala brzek brzezniak brzykcy bubak bubel bucanac bucar
  buch buchalik buchanan buchberger buchegger buchel bucher buchholz buchinger buchler buchner buck buckley buckridge buczko buczma bud
  budai budaqli budhlaeir budig budiman budiyanto budner budniak budych budzen budzich budzyn buelens buendia bueno bugiel bugla bugno
  bugnon bugueno buhari buhler bui buick buijs buitrago bujard bujas bujko buk bukovec bukovsky bukowiec buksa bukvic bulak bulanda bulawa
  buljan bull bulle bullock bultot bulzoni bumb bumov buncic bundi bungic bunic bunlerngsri bunlupong buonauro buraid burbano burcardo burch
  burchard burchardt burchill burcul burdach bures burger burgess burgos burgstaller buric burke burman burnach burnat burnett burns burr
  burrell burri burrows bursic burt burton burtscher bury burza burzawa burzec buscetta bush busienei busko busljeta busoni busquets
  bustamante bustos buszka buszko buszta butala butcher butkus butler butrym butselaar butt butte buttimer buttimore buyse buysse buza buzov
  bwire bylina byra byrd byrne byrnes bystrek bystron bytner byzdra bzdega bzdziuch bzymek cabala caballero caban cabanas cabanillas
  cabbarli cabello cabeza cabezas cabibbo cabo caboto cabrera cabrero caccianemico caccioppoli caceres cacko cadden caddow cadefau cadena
  cadenas cader cadhain cadogan cadorna caetani cafarchia cafferkey cafferky cafferty caffrey cafua cafuk cagalj cagney cagnin cagnotto
  cahalane cahill cahillane cahir cai caicedo caimbeal caimbeul cain caine cainero cairn cairns caironi cakala cal calarco calatayud calbo
  caldeira caldera calderon caldwell calgari calhoun calik callaghan callahan callan callanan callebaut callegari callegaro calleja callens
  callewaert calligan callinan cally caluza calvet calvey calvillo calvo calzada camacho camanni camara camargo camarillo cambier cameron
  camicione camilleri camino camiscione cammarata cammel campanella campano campbell campillo campise campo campos campoy camps camus
  canales canali canals canas canavan cancino candaux candelaria candia canellas canet canete canetta canil canizares cannan canniffe
  canning cannizzaro cannon canny cano canovas cant cantero cantillo cantimori canton cantrell cantu cantwell cao caomhanach capala caparros
  capdevila capecchi capek capelle capiga capka capko capla caplis capone capples capua capuaigh capuana caraballo caracciolo carbajal
  carbajo carballo carbery carbo carbonell carcamo cardano cardenas cardon cardona cardoso cardozo carducci carey carfagna cargonja caric
  carleton carley carli carlier carlin carlos carlson carmaig carmody carmona carneiro carnera carnero carney carnogursky carnotte caro
  carocci carolan caron carosone carpaccio carpenter carpentier carpio carragher carranza carrasco carraud carraux carre carreno carreon
  carrera carreras carrero carretero carriera carrig carrigan carrigy carrillo carrion carrizo carro carroll carron carson carsten carter
  carthy carton cartur cartwright carty carullo carun caruso carvajal carvalho carville casadei casado casagrande casal casale casaleggio
  casalodi casals casanovas casares casarin casas casellati casey cashen cashman casier casillas caspar casper cassara cassart casserley
  casserly cassiano cassidy cassin castaneda castano castejon casteleyn castell castellanos castellitto castello castells castiglione
  castilla castillo castioni castrillo castrillon castro catala catalano catenazzi cattaneo cattigan cattin caudron cauley caulfield caune
  cavalcante cavalcanti cavanagh cavanna cavazos cavieres cawley cazares cazorla cea ceafarcaigh ceanainn ceara ceballos cebekhulu cebisa
  cebo cebulak cech ceci cecot cedillo cegla ceh ceide ceirisc ceitinn ceja cekovsky celentano celis celma celmina celmins celms celuch
  cendron cenge centek centeno ceorais ceothach ceothanach cepeda ceran cerar ceravolo cerda cerdan cerezo ceri cermak cerna cerne cernik
  cernoch cerny ceron cerro cerutti cervantes cervantez cerven cerveny cervera cesaroni cesarotti ceschi cesnak cesnek cespedes cestaric
  cetera cetin ceulemans ceuppens ceynowa chaba chaban chabane chaber chaberek chabior chabot chacha chachaj chachula chacko chacon chad
  chada chadaj chadha chadwick chagwe chahal chaib chaihirankarn chaisatit chakrabarti chakraborty chala chalimoniuk chaliy chalupka chamane
  chamberlain chambers chamorro champagne champlin chan chana chand chanda chander chandia chandler chandra chandran chaney chang changawa
  chaoui chapa chaparro chapelle chapman chappuis chapuis charbonneau charef charest charette charles charlier charlton charnish charo
  charoensuksopol charon charpentier charpie charrier charron chartier chartrand chase chatriand chatriant chatterjee chaturvedi chatys
  chaudet chaudhari chaudhary chaudhry chaudhuri chaudry chauhan chauveau chauvet chauvin chavan chavarria chaves chawla chayka cheara cheba
  chebet chebii cheboi chebon checa chechi cheda cheema chege cheikh chekalyuk chelagat chelangat chelimo chellaoua chemtai chemutai chen
  chenangat chenaux cheng chengo chepchirchir chepchumba chepkemboi chepkemoi chepkirui chepkoech chepkorir chepkosgei chepkurui chepkwemoi
  chepkwony chepngeno chepngetich cheptoo cherednik cherek chergui cherian cheriet cherif cherifi cherinko cherono cherop cherotich
  cheruiyot cherutich cheruto chesang chesire cheung chevalier chevalley chevallier chevrolet cheyech chhabra chiappetta chiaramonte chiba
  chibani chibi chico chiesa chigi chikh chikwanda chiliza chindamo ching chinnici chirchir chlad chlebda chlebek chlipala chmara chmielak
  chmil cho chochol chodak choeychuen choi choina chojak chojna chokshi cholewka cholody chomba chomiak chomik chomiuk chomsri chonco
  chopard chopra choque chornovil choros chotzen choudhary choudhry choudhury chouinard chovan chovanec chowaniak chowdhury chowitunkit
  chrappa chretien christen christiaens christian christie christoph christopher chrodtrud chromy chruszcz chua chubay chuchla chudik
  chudoba chukwu chulev chumak chumba chumo chung chuprina church chuyko chwedczuk chwedoruk chyb chylak ciak ciampi cianciolo ciani ciapa
  ciaragain ciarka cias ciastek cibane cibin cibor cibula cibulka cicala cich cichorius cichos cichowlas cicilia cid cieciora cieciura
  cieciwa ciecko cieloch ciemiega cieniuch ciepla ciepluch cieplucha ciereszko ciernik cierny cierpka ciesielka ciesiolka cieslak ciezka
  cifuentes cigan ciganik ciger cignaroli cik cikotic cilea cilibrasi cill cillin cimarosa cimoch cindric cinneir cintron ciochon ciosog
  ciothaigh ciothog cipolla cirino cirule cis cisneros cison cisse cisterna cisternas citko ciuba ciuinin ciuk ciula ciurus civaschi
  cizmesija cizmic claes claesdr claesner claessens claeys clafferty claffey clair clancy clapa clarach clare claridge clark clarke claus
  clavero clavin clay clayton cleary clees clemens clement clemente clements clenaghan clerc clerkin clery clifford clinten clinton
  clogherty cloherty clohessey clohessy cloney cloonan cloone clooney closset cloutier clune clunies cmiel coady coakley coardi coates cobb
  cobo cobos cobrda coca cocci cochran codina cody coelho coello coen coene cofala coffey cofre cogan cogiel cogley cohalan cohen coholan
  coigny coincheanainn coinin coinner coinnin colas colbach cole coleman coles coley colfer colgan colhoun colic colin colinet coll collado
  collao collard collart collazo collen colleneler colleran collet collette colley collier colligan collignon collin collina collinder
  colling collins collis collodi colly colman colom coloma colomer colot colpaert colreavy colson colum columbo colunga comar comartun comas
  comber combi comboni combre comer comerford comeriato comisky comisso comman commins comolli compere compton comte comyn conaola conaty
  conbhae conboy concannon concepcion concha conde condoleo condon condren condron condun conefrey conesa confhaola conlan conley conlon
  conmee conmy connachton connaghy connaughton conneeley conneely connell connellan connelly conner connery connole connolly connor connors
  conole conrach conrad conradi conraoi conree conroy conry consaidin considine conte conter conti contractor contrafatto contreras conway
  conwell coogan cook cooke cooksley coolahan coolen cooley cools coonan cooney cooper copeland coppens coppola corbacho corbat corbett
  corbo corboz corcoran corcos cordero cordier cordoba corduff coredo coret coric corish corkery corless corlett corley corlu cormack corman
  cormican cormick cormier cormy cornejo cornelis cornelisse cornet cornil cornut cornuz corominas corona coronado coronel corpataux corradi
  corral corrales correa corredor correia correr corridan corrigan corry corstiaens cortes cortese cortez cortina corvalan corwin cosandey
  coscair cosendey cosgrave cosgrove cosic cosman cossiga cossy costa costalonga costanzi coste costela costello costelloe costigan cote
  cotic cotter cotto coughlan coulibaly coulombe coulon counihan courcey cournane courtenay courtier courtney courtois courvoisier cousin
  cousins coutts couture couturier couvreur covarrubias cowan cowely cowen cowley cox coyle coyne cozar cragg crahan crahay craig craine
  crampsey crampsie crane crangle cranley cranly craven craw crawford crawley crean creed creedon cregan crehan cremer cremin cremonesi
  crespi crespo cresswell cretton crevar crevoisier criado cribbons crilly crimmins crinion criomhthain criostoir criostuir crisafulli
  crispi crist cristea croad croal crohan croil crolly crona cronelly cronin cronly crooks crosbie crosby crossan crota croteau crotty crowe
  crowley cruces crudden cruickshank cruise cruz csonka cuadrado cubillos cubric cucek cuch cuddihy cudic cudzich cuellar cuenca cuervo
  cuesta cueto cuevas cuffe cugia cuidithe cuillin cuineain cuirteis cuk cukier cukman cukon culhane culi culina culjak cullen culligan
  cullinan cullinane culloty cully culot cumiskey cumisky cummerata cumming cummings cummins cummiskey cummisky cundari cundun cunha cunnane
  cunneen cunningham cunny cunun cuomo cupic curatoli curci curdy curic curiel curley curnane curneen curnyn curran curraoin currie curtin
  curtis cusack cusano cutrufo cutuli cuvarli cuvelier cuypers cuyvers cuzzocrea cvenic cvetko cvetnic cvitan cvrtila cwalile cwierz cwirko
  cyba cybul cydzik cygal cyganik cylwik cyman cymbala cymer cyprich cyr cyrek cyron cyrulik cywka czajka czajor czapiga czech czerepak
  czerkies czermak czerner czerniec czerwionka czesak czescik czlonka czochara czopik czosnyka czubaj czubaszek czuj czulak czupryn czupryna
  czura czurylo czylok daako daakoaa daamin dabal dabir dabo dabros dabrowka dabukke dach dachev dachgelder dachgeldt dachgelt dacko dada
  dadej dado daems dagane dagli dahir dahl dahlen dahlgren dahlin dahm dahmane dahmani dai daibhis daigle daiken dakhil dakhno dalal dale
  daleiden dalia dalla dallaire dallape dallara dallinger dalmau daltun daly dalziel dam damanik damek damian damijanic damore damps damurah
  dan dana danaher dancak danciak dandolo dane danek danel dang dangl dani daniec daniel daniels danieluk danilczuk danilyuk danjuma
  dankevich dankiv danko danner danninger dano danso daoud daoudi dar dara daragan darain daraz darcy dardenne dare dargacz dargan darko
  darlak darmody darul darwish das dasey dasgupta dashkevich datsyuk datta daud daugherty dautanec dave davenport davern davey david davids
  davidson davies davila davimuka davin davis davison davitt davodov davoren davy davydov daw dawick dawidek dawiec dawson dawud dayal daza
  deacon deacy deady deak dean deane dease deasy debelic debeljak debnar debniak debroux debruyne decamps deceuninck dechamps decker deckers
  deckow declerck declercq decock deconinck decoster dee deegadan deegan deehan deeley deely deeney deeny deere deery degroote degryse
  degueldre dehmel dehon deigan deignan deiseach dej dejardin dejneka dejonghe dekeyser dekker dekys dela delacruz deladoey delaere delahaye
  delahunty delaney delannoy delap delargy delattre delcourt delcroix deledda delekta deleon deleu deleze delforge delfosse delgadillo
  delgado delhaye delhez delikat delisle delle dellucci delmas delmotte delorme deloughrey deloughry delporte deltour deluga delvaux
  delvigne delwayo deman demanet demaret dementev demers demeulenaere demeyere demianczuk demir demirel demmendaal demoulin dempsey demsar
  demuth demuynck deneka denesik deng dengg denihan denis denison denisov denissov denk dennehy denning dennis denny denys deo deol depero
  depoorter deptuch depuydt derbal deregus derek derezic dergach dering derkach derkaoui dermody dermott derouiche derradji derrig deryazhna
  deryazhniy derycke derylo desai desbiens descamps deschamps deschenes descombes deshmukh deshpande deshusses desio desjardins desmedt
  desmet desmond desrochers desrosiers dessart dessy deszcz detaille dethier detka detournay detry devally devan devane devaney devanney
  devaux devdyuk devenney dever devereux devery devi deville devillers devilly devin devine devitt devlin devolder devos devoy devriendt
  dewaele dewan dewez dewilde dewitte dewulf dey deyneka deyneko deysun deze dhadho dhaliwal dhar dhawan dhillon dhingra dhondt diaconu diaf
  diallo dias diaz dib dibbert dibiasi dick dickens dickerson dickey dickie dickinson dickson dida didier diederich diego dierckx dierick
  dierickx diesbach diesbergen dietl dietrich dietz dieu dieudonne diez diffin diffley diggin diggins dignan dijkman dijoux dikane dillane
  dillen dillon dima dimba dimbane dimbani dimitriev dinabantu dinamarca dinan dinangwe dindela dindi dineen ding dingila dinh dinneen dinu
  dinwa diolun dion dionne dionun diop dippel dircken dirnberger dirrane dirven discin disdero diskin ditschlerin dittrich divan divenney
  diver divine diviney dixit dixon dizdar djebbar djellal djellouli djoudi dlaba dlabane dlabazane dladla dlakadla dlakela dlamane dlambula
  dlamdaka dlamini dlamlenze dlangamandla dlawuza dlebenkomo dlodlo dlomo dlubak dludla dludlu dlugozima dlungwana dmitriev dmoch dobbelaere
  dobbin dobbins dobes dobler dobre dobric dobron dobsinsky dobson dochioiu dockx docolomansky docquier doctor dodd dodson doe doesburg
  doghair dogherty doglioni doherty dohn doingeard doktor dolan dolega dolenc dolezal dolic dolinar dolinsek doliwa domagala domek domenech
  domian domingo domingues domino domka domon domurad domzal dona donagher donaire donald donaldson donati donatoni doncabe donda donegan
  donev dong dongoran donkor donlon donnan donnay donnell donnellan donnelly donoghue donohoe donohue donoso donovan dony doody dooey doogan
  doohan doolan dooley doorhof doornhem doorty doppler dora doran dorawa dorcha dordan dore dorfer dorgan doria doring dorka dorko dorn
  dorna dornan dorner doroba dorobek dorociak dorofeev doronin doronina doroszuk dorot dorota doroz dorr dorrian dorschner dorsey dorsman
  doruch dorynek doshi dossi dostal dostert doucet doudigan dougherty douglas doumont dovara dovudov dowd dower dowerg dowey dowley dowling
  downar downes downey downing downs doyen doyle draghi drajna drake drakulic drandic draus draxler drazic drazyk drej drela drennan dreszer
  dretvic drew drewa drewes drewnik drewniok drgas drian dries driscoll drobakha drobek drobik drobna drobniak drobnik drobny drobot
  droguett drohan drolet droma droney droppa dros drost drotar drouin droz drozd drozda drozdov drozdzal drozdziel drozdzik druart drub
  drubin drum drumm drummond drummy druso druszcz drwiega drygala drygas dryka drynda drysdale drywa drzal dua duah duane duarte dub duba
  dubandlela dubas dubazane dube dubel dubey dubik dubina dubis dubois dubovecak dubovsky dubuque duc duchene duchesne duchnik duczmal duda
  dudala dudas dudek dudik dudka dudko dudkowiak dudley dudo dudok dudzicz dudziec duenas duez duff duffin duffy dufie dufour dufrane
  dufrasne dufresne dugal dugar duggan duguay duhamel duhig duhy duignan duinsmearach duivenvoorden dujardin dukada dukat duke dukic dula
  dulak dulas dulbecco dulemba dulik dulla dulohery duma dumakude dumala dumanli dumas dumin dumina dumins dumisa dumont dumortier dumoulin
  dunal duncan dunford dungan dunge duniec dunlap dunleavey dunleavy dunn dunne dunning dunny dunphy dunser dunworth duodo duong dupliy
  dupont dupre dupuis dupuy duque duquesne duran durand durant durante duras durca durco durczok durdik durdinets durdu durek durgan durham
  durica durieux durinic duris durka durkan durkin durko durkovsky durlak durlej durlik durma durmus durnan durnin durning duro duroux
  durovsky durrihy dury durys dusa duse dusek dusik dusko dussart dutka dutko dutrieux dutt dutta duval duvancic duvanel duvivier duyaza
  duze duzy dvojak dvonc dvorak dvorsky dwamena dwane dwyer dyal dybal dybas dybiec dybka dycha dyczko dyda dydak dydo dyer dyja dyjach
  dyjas dyka dylak dylik dylong dynak dynia dyrek dys dyszy dytko dytrych dywan dzapo dzene dzenis dzezov dzhogov dzhun dzhus dziadkowiec
  dziadura dziala dzialak dzialo dziarmaga dzidek dziduch dziechciarz dziedzic dziedzina dzielak dzienis dzienniak dzierwa dzierzak dziewa
  dziewior dziewit dzieza dzika dzindra dziob dziopa dziuban dziuda dziugiel dziurdzia dziurla dziwak dzurjanin dzwonnik dzyuba earl earle
  eaton ebadpour eberhard eberhardt eberharter eberl eberle ebert eberth ebner echevarria echeverria ecker eckert eckhardt eco eden eder
  edin edlinger edman edmonds edun edwards edwin eeckhout eelman eerden effertz efimov efremov eftimie egan egea egger egli eglinton eglite
  eglitis ehlert ehsaas eibl eichberger eichenberger eichhorn eichinger eide eigenwillig eijkelboom eilfirt eimer einaudi eischen eisl
  eisner eivers ejlaal ekai ekal ekdahl ekeno ekert ekholm ekidor ekiru ekitela eklof ekman ekstrand ekwueme elamrani elatli elberts
  elbertse elert elgueta elias elidrissi elijah eliseev elizondo eller ellery elliot elliott ellis ellison ellwart elo eloranta elorza eloy
  elsemulder elsenaar elsner elwart elwood emard emmanuel emmen emmerich emo emond emuria encina endo endrizzi ene engdahl engel engelen
  engels engen engl englebert engler english engman engvall ennis enright enriquez entringer enzinger eraslan erazo erber erceg erdman
  erdogan eregae ergotic ergul erhart erhout erices erickson ericson erik erjavec erkkila erlacher erler erm erni ernits ernser ernst
  erpelding errani errigo ersek ershov ertas ertl erupe ervin ervine erzen escalante escalona escamilla escobar escobedo escolano escribano
  escriva escudero esekon esfandyar eshan esinyen eskola espada espana espanol esparza espejo espinal espino espinosa espinoza espitia
  esposito esquibel esquivel estay esteban estes esteve esteves estey estrada etienne etyang etzler etzold eugster eustace evans evdokimov
  evequoz everaert everde everett evers everts evoy evrard evseev ewart ewen ewing ewoi exposito eyanae eyvazali eyvazli eze ezeugo fabbri
  faber fabian fabijanic fabiszak fabra fabre fabregas fabregat fabrizi fabry fabus fadden fadeev fadel fadian fadipe faes faferek fagan
  faggiani fagiani fagotto fagunwa faherty fahey fahy fairhall faivre faizan fajardo fajimi fajnor fakazi fakude fal falabi falba falco
  falcone faleti falier falk falkner fallaci fallon falloppio faloye faltyn falvey famula fang fanisa fankhauser fannin fanning fannon
  fantoni fantozzi fanucci farago farah faranda farell farenyuk fares farhodov faria farias farida farina farizov farkasovsky farland farley
  farmer farnan farnese farnon farragher farre farrell farrelly farren farrissey farrissy farry fartushnyak faruga faryna fasasi fasching
  fasiang fattori fauconnier faugno faulkner faull faure faust favata favre fay fazli fealy fearon fearraigh fechant fechner fedak federici
  federico fedor fedoseev fedotov fedyk feehan feeley feely feeney feeny feest fegan fehan feher fehilly fehr fehringer feichtenschlager
  feichter feichtinger feichtner feighery feigl feijoo feil feirtear fekete felban felber feldek felder feliciano feliksiak feliniak
  felisiak feliu fellah feller fellinger fellner felten feltgen feltz feltzer felus fenelon feng fenighty fenlon fennell fennelly fennessey
  fenning fenton fenya fercher ferdyn ferenac feret fergus ferguson ferhat ferland ferm fernandes feron ferrabosco ferrada ferragamo
  ferragni ferran ferrand ferrandiz ferrando ferrante ferrara ferrari ferraris ferrata ferrazzi ferreira ferrell ferrer ferrera ferreras
  ferrero ferreyra ferris ferriter ferrucci ferry ferstl feyder feys fiala fica fichtinger ficino ficner fico ficon fidler fidor fidos
  fidura fidvi fiebig fiedler fiedorczuk fiedoruk fielding fieramosca fiere fierek fierens fierro figat figueiredo figueras figueroa
  figuerola fihlela fijak fijalek fijol fik fikus filak filali filangieri filar filas filatov filban filbin filc filek filiks filip filipcic
  filipek filipic filipko filippov fillion filogamo filus filzi finan finch findlay finegan fink finka finke finlay finley finn finnegan
  finneran finnerty finnucane finotto finucane finzi fiol fiolek fiolka fioravanti fiorucci firat firdavsev firgantoro firmansyah firtear
  fisch fischbach fischer fiser fisher fita fitas fitrzyk fittipaldi fitz fitzgerald fitzgibbon fitzgibbons fitzmartin fitzmaurice
  fitzpatrick fitzsimmons fitzsimons fiutak flaga flaherty flahive flaiano flament flammang flanagan flannagan flannelly flannery flantz
  flasza flatley flavin fleck flego fleischhacker fleming fleszar fletcher fleury flieger fliegner flink flinn flisek flisiak flor florea
  flores florian florio flowers floyd fluckiger flynn foa foconi fodor fofie fogaca fogarty fogas fogazzaro fogel fogiel fogt foidl foit
  fojt fokin fokina folan folch foley folga folliero folta fomichev fomin fomina fonck fondo fonjallaz fonseca fontaine foody foote foran
  forbes ford forde foremniak forero forgac foriwaa forjan forkin forma fornaciari fornalik forrest fors forsell forsgren forsman forster
  forstner forsyth fortier fortin fortuny fortuyn forysiak foscari foser foster fosu fosua foucart foucher fouquet fournier fowler foy foyle
  fracci fracz fraher frami frana franas franaszek franc frances franceschi franch francillon francis francisco franck franco francois
  francoise franczuk franek frania franiak franic franik franjic frank franka franke frankhuizen franklin franko frankow frano franusic
  franva franz franzen franzese fras fraser frawley frazier freaney frechette frederick fredes fredriks freeley freeman freeney freeth frei
  freil freis freitag freitas frelek frelich frema fremie french frere frerichs frescobaldi freshour freudenberger freudenthaler frey frias
  frick frid friederich friedl friedli friedman friedrich friehus friel friis frimer frimpomaa frisch friscic frisk fritsch fritz frketic
  frohlich frommelt fron fronia froschauer froschl frost fruhwirth frukacz frutos fry frycz frydel frye frymus frys ftacnik ftorek fucek
  fuchs fudalej fuente fuentealba fuentes fuenzalida fuertes fugiel fujiati fujii fujimoto fujita fujiwara fukuda fulara fulawka fuli fuller
  fulop fulton fundi funk funnell fura furda fureder furey furga furgal furgala furlan furness furrer furs furst fusani fuseli fuster futyma
  fyda fydrych fyfe gaasch gaba gabadela gabaldon gabara gabba gabbana gabela gabelko gabhain gabhezi gabhisa gabka gabriel gabrieli gabrych
  gabryel gabryszak gabud gacem gachanja gacheri gacheru gachoki gadda gade gadlela gadzala gadzina gaete gaffney gagala gagashe gagliano
  gagliardi gagne gagnon gagys gahan gahleitner gaiatto gaiciunas gailius gaillard gailys gaine gaineard gaines gainey gaitan gaito gajardo
  gajcy gajda gajdzik gajowiak gajownik gajzler gakii gal gala galach galagan galaj galan galarza galat galaz galdames galeano galeati galek
  galenzone galesic galeza galgallo galgalo galiano galiazzo galic galica galijn galik galilei galindo galkin galkina gallagher gallaher
  galland gallardo gallart galle gallego gallegos galleguillos gallen galler gallet galligan gallivan gallo gallogly galloway galon galos
  galtarossa galu galuba galuppi galvan galvani galvin galvis gama gamble gamboa gambu gambuse gamede gamez gamon gamrat gamsjager gandhi
  ganesan ganesh gangemi gangl ganguly ganley ganly gannon gao gaona gapys gara garate garavan garay garba garbaciak garbacik garces garcia
  garczarek garde gardiner gardner garety garg gargallo gargan garibaldi garibay garica garland garmendia garncarek garncarz garner garnier
  garobbio garozzo garraghy garrahy garret garrett garrido garriga garrihy garrison garrone garry gartlan gartland gartner garvey garvin
  garza garzon garzoni gasa gascon gasek gasela gashi gasienica gasik gaskin gasmi gaspar gaspard gasperi gasser gassner gastelum gately
  gathogo gathoni gati gatica gatimu gatsheni gatti gatto gattringer gatwiri gaudin gaudreault gaudyn gaughan gauthier gautier gavaghan
  gavalier gavenda gavican gavigan gavin gaviria gavornik gavrilets gavrilishin gavrilishina gavriliv gavrilyuk gavrish gavrishkevich gay
  gaya gayda gaydabura gaydamaka gayday gayevskiy gaylord gaynard gaynor gaytan gayvoronskiy gazo gazu gcaba gcaleka gcugcwa gcumisa gcwabe
  gcwensa geany gearan gearty geary gebashe gebhezi gebura geca gedeza gedi geens geeraerts geerling geerts gegic gegotek geherty gehringer
  geier geiger geisel geisler geissler gelabert geldens gelinas gemen gemito gemza gence gendek gendera gendron geneart genefaas gengeshe
  gengler genot gentileschi gentili gentry geoghegan george georges georgiev gera geraci geraghty gerard gerarghty gerasimov gerassimov
  gerber gerega gereta gerhold gerlach germain germano gerrits gerritse gertz gerus gervais gesiarz getka geudens geuens gevaert geyer
  gfeller ghafoor ghanee ghannam gharbi ghasaan ghauth ghayoor ghazi ghazzal gheorghiu gherbi ghislain ghoerle ghose ghosh ghunayn ghutayf
  giacconi giammusso gianinazzi giannone giannotti giannuzzi gianvecchio gibb gibbon gibbons gibbs gibert gibilisco giblin gibney gibson
  gichana gicheru gichohi gichuhi gichuki gichuru giec giedrojc giel gielen gierach gierak gierasimiuk gierat gierek gieron giers gierschner
  giess gietka giezek gifford gigaba giger gigli giguere gikonyo gil gilabert gilardoni gilbane gilbert gilbride gilchrist gildea gilduff
  giles gilgunn gilhooly gill gillain gillan gillard gillen gilles gillespie gillet gillic gillick gillieron gillies gilligan gilliland
  gillis gillooly gilmartin gilmore gilroy gilsenan gilson gimeno gina gindl ginea giner ginese ginesio ginevan ging gingras gininda ginnea
  ginneadha ginnitty ginnity gintalas ginty ginzburgas gioberti giobun giolitti gionnachtaigh giovine giradello giraldo giralt girard giraud
  giron girona giroux girschner girvan gisbert gislason gitahi gitari gitau githaiga githinji gitonga giunti giusti givern giza gladka glanc
  glapiak glaser glass glasses glatz glavan glavin glavor glaza glazer glazier glazik gleason gleasure gleba gledhill gleeson glegola
  gleichner glenc glenn glennon glica gligora glineur glionnain glod gloden glodt glonek gloor glosteir gloster glover glowiak glowienka
  glownia gluck gluszko glynn gmeiner gmur gnatz gniewek gnodde gnyp goba gobert gobhozi goblet gocnik goda godana godard godart goddard
  godec godefroid goderts godet godfrey godfroid godide godin godinic godoy godunok godyn godzik godzwon goedert goedhart goel goerens
  goergen goethals goetzinger goff goffaux goffin goffinet gogacz gogan gogarty goggin gogol gogola goh gohar goicoechea goik goj goje
  gokhale gola golak golan golas golda golding goldner goldoni goldrick gole golek golenia golgi golik golino goliszek golla gollan gollner
  gollum golob goloborodko golofit golon golonko golos golota golubev golubic golus golyash gomboc gomes gomez gomila gomis gomola gomula
  gona goncalves gonet goni gonsior gonzaga gonzales gonzalo goodman goodwin goossens goovaerts gopal goraj goral gorbachev gorczany gordeev
  gordillo gordon gore gorenc gorevan gorey gorgol gorham gori goris gorjup gorlitz gorman gorol gortat gos gosch goschl gosek gosik
  gospodarek goss gosselin gosset gossiaux goswami gotfryd gotic gotsholo gottardi gotthard gotti gottlieb gotz goudriaan gough gould
  goulden goulding goulet gour govaerts govarts govender govoni gowin goworek goyal goyette goyvaerts gozdur gozzano gozzi graban grabara
  grabas grabher grabias grabner grabon grabos gracia gracin gradek gradenigo grady gradziel graf graham grahams grahn graindorge graj gral
  gramsci gramza granado granados granat granath grand grande grandjean gras grasser grassi grassl grasso grattan gratz gratzer gratzl grau
  gravel graves gravina grba grbac grealish greally greaney grebowiec grechanik grechko greco gredicak greehy greelish greely greene
  greenfelder greenholt greenwood greer greggio gregoire gregor gregorczuk gregorek gregori gregoric gregorio gregory gregov gregus greig
  greij greiner greisch gremese gren grenier grennan gres greszta grethen grewal grgic grguric grgurovac grialais griego griesser grifeo
  griffen griffin griffith griffiths grigorev grigoriev grijalva grill grimani grimes grinius grishin grishina grisoni gritsch gritti grna
  groarke grob groborz grochola grochowina grodek groen groenendaal grogan grojean gromala gromov gron grondel grondin gronostaj gronroos
  gronskis groogan groote gros grosjean gross grossi grotek groth grottner grover growney grubba gruber grubisic gruchot gruijl grunberger
  grund grundner gruner grunt grunwald grupa gruza gryciuk grycz gryga grygo gryka grymuza grys gryta grzebyk grzech grzegorzak grzela
  grzelak grzelec grzenia grzesiek grzeskow grzeszkowiak grzetic grzincic grznar gschaider gschwandtner gstohl gstrein guajardo gual
  gualandi gualtieri guarana guarato guardado guardia guardiola guariento guarneri guay gubain gubben guberan gubernat gubeshe gubhela
  gubhuza gubulundu gucci guclu gude gudelj guendouz guerfi guerin guerra guerreiro guerrero guessoum guevara gugan guggenberger guglielmi
  gugushe guha guibert guichard guidone guidotti guihan guijarro guilbert guilfoyle guillarmod guillaume guillemette guillen guillet guillon
  guillot guillou guinan guinane guinevan guiney guinnane guinness guiot guiry guit guitart guk gul gula gulan gulati gule gulen gulfam
  guliwe gullery gullotta gulotta gulshan gulyaev gulyas guma gumbi gumede gumieniak gumienna gumienny gumprich gumula gunarto gunawan gunko
  gunn gunning gunpf gunther guo gupalo gupta gure gurev gurule gusciora gusev gushchin gushchina gussoni gustaw gustin gut gute guthrie
  gutknecht gutsulyak guy guyo guyon guyot guz guzdek guziak guziy guzman gwacela gwagwa gwamanda gwanyana gwara gwardiak gwija gwizdek
  gwynn gxabhashe gyamfi gyamfiaa gyasi gyasiwaa gzhitskiy gzyl haack haag haapala haapaniemi haas haase haataja haavisto habdas haberl
  habha habibi habibov hablak habpanom habsuda hachemi hacker hackett hackl hadala hadam hadas haddad haddouche hadebe haderer hadfield
  hadjadj hadji hadzic haengreve haering hafliger hafner hagan hagara hagen hagendoorn hagenes hager hagg haggerty hagman hahessy hahn
  haicead haid haiden haider haidinger haile hainaut haindl haines hainzl haire hajda hajdas hajder hajdu hajduga hajek haji hak hakala
  hakim hakker halak halake halama halambek halapir halat halder hale haley halidov halik halim halimah halka hall hallahan hallanan haller
  halleux halley hallgren hallik hallin hallinan hallissey halloran halme halpen halpin halsdorf halvorson hamada hamadi hamadouche hamdan
  hamdani hamdi hamel hamera hamerla hames hamidi hamill hamilton hamisi hamlaoui hammadi hammar hammer hammerer hammerl hammerle hammes
  hammond hamon hamoudi hampel hampton hamrol hamza hamzaoui han hanafin hanak hanas hanbury hanc hancer hancock handa handayani hande
  handke handl handzel hane hanegraaff hanek hanel haney hangala hanka hankard hanke hanko hanley hanlon hanly hanna hannah hanncard
  hannecart hannigan hannon hannula hanrahan hanratty hans hanson hanssens hanus hanusek hanusiak hanzek hanzel hapka haponiuk hara
  haraburda harada harahoe haran harapin harasimiuk harber hardi hardiansyah hardie hardiman hardin harding hardy hare haremza haren
  hargadon hargan hargreaves hari haring hariri hariyah harju harkin harkins harley harloff harmon harnett haro harper harrell harrer
  harrihy harrington harris harrison harry hart hartati harte hartigan hartl hartley hartman hartnett hartung harty harvan harvanek harvey
  haryanti haryanto hasan hasanah hascak hasegawa haselaar hashemi hashimoto hashmi hasiak haslauer hasler haslinger hass hassan hassanah
  hassani hassett hastey hastie hastings hastuti hasty hatfield hattinger hatton hauck hauer hauffer haug hauge haugen haugh haughey
  haugland haumer haupert hausberger hauser hausler hautala hautamaki havel haverty havlicek havran havranka havranko hawe hawkins hawro
  hawrylak hawthorn hay hayashi hayden hayer hayes haynes hayre hays hayward hazenveld heaffy healey healy heaney heaphy hearn hearne hearty
  heath heathcote heavey heba hebenstreit hebert hechenberger heck hecker heckett hecko heczko hedderman hedigan hedin hedman heeb heelan
  heenan heeney heere heerkens heerschop heffernan hefferon heffron hegarty hegde hegedus heger heggarty hehir hehl heidenreich heiderscheid
  heidrich heigl heijman heijmans heijmen heikkila heim hein heindl heino heinrich heinrichs heinsalu heinsoo heintz heintze heinz heinzl
  heirens heiss heissenberger hejduk hejna hekker helak helen heleniak helenius helery helin helland hellemans heller hellevoort hellgren
  hellman hellwig helm helman helmerhorst hely hemetsberger hemmen hemmer hempenstall henao henck henderson hendrick hendricks hendrickx
  hendriks hendrikse hendrix hendry hendzel henebry heneghan henery heney hengen henin henk henke hennebry hennelley hennelly hennessey
  hennessy henni hennig hennigan henrard henrion henriques henriquez henrotte hens henschel hensley henson hentschel hepburn hepenstall
  heraghty heras heraty herba herbert herbst herbut herceg herd herda herdzik heredia heremans heretik hereward hering herity herlihy herman
  hermans hermes hermiston hermosilla hernadez hernandes hernando hernon herok heron herout herranz herrera herrero herring hertrampf hervas
  herve hervia herzog heser heskin heslin hesse hessel hession hester hethur hettinger hettner heuertz heuser hever hewelt hewitt hewson
  hexspoor heydrich heylen heymans heyne heyvaert hhoyiyane hickey hickle hickman hicks hidalgo hidayanto hidayat hierro hietala higgins
  higueras hilary hilger hill hillen hiller hillery hilliard hilll hillow hills hilmer hilpert hilti hilton hinca hines hinic hinney
  hinojosa hinterberger hinteregger hinterleitner hinton hintz hirano hirsch hirt hirthe hishon histon hjelm hjort hlabangane hlabisa hladka
  hladky hlatshwayo hlavac hlavacik hlela hlengwa hlinik hlinka hlomuka hlongwa hlongwane hlophe hlubi hlumakazi hnat hoang hoarau hoare
  hoareau hoban hobbs hocevar hochleitner hochreiter hocine hodak hodel hodge hodges hodgson hodl hodnett hodson hodza hodzic hoedemakers
  hoeger hoeks hoelen hoes hoey hoffman hofig hofinger hofler hofman hofmeister hofstatter hofstetter hogan hogg hoglinger hojda hojka
  holappa holc holcik holdaway holden holeksa holewa holguin holic holicek holik holl holland hollander hollaus holler hollins holloway
  hollywood holm holmes holmgren holohan holota holst holsten holt holthuis holub holubec holubek holubka holubko holubok holuby holvoet
  holzapfel holzenbecher holzer holzinger holzknecht holzl homenick honan hondeveld hong honing honore hoogers hoop hooper hoover hopkins
  hoppe hoppenbrouwer hora horacek horak horan horbacz hore horemans horgan horl horle hormazabal horn horne hornich hornig hornik horrocks
  horton horvat horvatek horvath horvatic horvatinec hosae hosey hoskins hosp hoss hosseini hostak hoste hotz hou houari houben houde
  houdijk hougardy hough houghton houle houlihan hourican hourigan hourihane houston hovel howard howarth howe howell howells howley hoyos
  hoz hoza hozjan hrabar hrabia hranic hranj hrasko hren hrianka hribar hribernik hric hrmo hrobon hrovat hrsak hruba hruby hrusovsky
  hrvojic hrzenjak huang huart huba hubbard hubel hubert huberts huberty hubin hubner hucko huczko hudacek huddleston hudec hudson hudzik
  huel huels huemer huerta huertas huet huff huffman hufnagl hug hughes huguet huhn huhtala huijben huijbrechts huijs huijzing huisman huka
  hulboj huljev hull huls hulshouts hulskes hulst hult hultgren hultman humbert humblet hume humeniuk humer hummel hummer humphrey humphreys
  humphries hunt hunter hunziker huotari hupka hurd hurley hurst hurtado hus husak husar husek huseynli husnjak huso huss hussain hussein
  hussey hustak huszcza hutagalung hutapea hutasoit hutchinson hutchison huter hutnik hutta hutter hutterer hutton hutyra huurdeman
  huybrechts huyghe huynh huys huysmans huzaifa hwang hyatt hyde hyjek hyland hyman hynek hynes hynman hyzy iacobucci iadanza iago iannotti
  iannucci iannuzzi ibacache ibarra ibikunle iborra ibraaheem ibrahim ibrohimov iciek idec idris idzi iftikhaar iglesia iglesias ignac
  ignatev ignatiuk ignatjev ignatov igoe igras ihab ihejirika ihnacak ihsaan ihtiram ijli ikeda ikhlef ilan ilic iliev ilijic ilin ilina
  iljin illes ilori ilupeju ilves imai imali imbert imhof imiela iminza impastato imrich indyk indyka infante infantino inglis ingoldsby
  ingram iniesta innocenti innseadun inostroza inoue intaum interiano interminei inzaghi inzunza ionita ioppi iqbal irawan ireland ireri
  iriarte irizarry irla iroha irungu irvanets irvine irving irwin irzyk isaac isaev isah isayevich isella isern ishchak ishida ishii
  ishikawa iskierka isler islomov ismail issa issac issack issak iswahyudi iten iturra iustas ivancan ivandic ivask ivasyuk ivers ivory
  ivsic iwanow iwasaki iwu iyanda iyengar iyer izaguirre izquierdo jaabir jaakkola jaakson jaanson jaanus jabir jabr jacak jaceps jachna
  jackman jackson jacob jacobs jacobson jacoby jacot jacquemart jacquemin jacques jacquet jacquot jacuzzi jad jadhav jadot jadoul jaen
  jafari jagarinec jagecic jager jaggi jagielka jagielo jahdami jahdari jahn jailani jaime jaimes jain jaiyeola jaje jajko jakab jakel
  jakiel jakimiak jakobiak jakobik jakobson jakoniuk jakopec jakovac jakovlev jakub jakuba jakubaszek jakubcek jakubcik jakubco jakubec
  jakubek jakubik jakubiuk jakubka jakubko jakupic jakus jalaal jali jalil jalovec jalowiec jama jamaal jamar jamasijadu jambor jameel james
  jameson jamieson jamile jamnik jamroz jamrozek jamrozy jamshidov jan janak janasik janc janca jancek janco janczarek janczura janda jandl
  jandula janecek janecko janek janes janezic jang jani janic janiga janik janisch janiszek janiuk jank janka janke janko jano janocko janos
  janosek janosik janosko janoso janoszek janoszka janowiak jans jansdr janse jansse janssens jantos jantsch jantti januar januchta januszko
  jany jaque jaquez jara jaracz jaramillo jarc jarema jaremek jaremko jargielo jargilo jarka jarl jarmula jarmuz jarmuzek jaroch jaros
  jarosik jaroszuk jarso jarv jarve jarvela jarvenpaa jarvi jarvis jas jasica jasina jasionek jasko jaskola jaskowiec jasnoch jasprica jasso
  jast jaszcz jaszczur jaszczyszyn jauk jaume jaunzema jaunzems jauregui javornik jazdzyk jazwiec jdotte jean jebet jedlovsky jedra jedrak
  jedral jedrasiak jedraszek jedruch jedrusiak jedryczka jedrys jedrzejek jefferies jefferson jeffries jefimov jefwa jeggij jehle jeitz jeka
  jekel jelagat jelavic jele jelen jelic jelimo jelinek jelle jellyman jemeli jemric jemutai jendek jenek jenewein jenkins jenni jennings
  jeon jepchirchir jepchumba jepkemboi jepkemei jepkirui jepkoech jepkogei jepkorir jepkosgei jepleting jepngetich jeptoo jerde jereb jeric
  jerman jerono jerop jerotich jersov jerusalem jeruto jerzyk jeske jessa jessel jesus jeszka jeszke jewula jezek jezior jezyk jezyna jha
  jhaveri jia jiang jibela jibril jilani jiles jili jillo jimale jin jiyane jobe jobstl jochems jockel jodar jodko joel joesaar jofre jogi
  johal johann johanson john johns johnson johnston johnstone jokela jokiwe joly jomo jonak jonas jonata jonckheere jones joniak jonik
  jonjic jonker jonkman joos joosten jop jopich jorda jordan joris jorlink jorquera joseph joshi joshua josko jost joszko joubert jourdan
  jovanovac jover joyce joye jozic jozwiak jozwik juan judd judek juen jug jugovac juhanson juhkam juhlin jukic julia julian julien julius
  julliard juma jumba junas junck juncken juncker jung jungfer jungwirth junior junitz junken juqula jurado juras jurca jurcic jurcina jurco
  jurczuk jurek juresko juretic jurgens jurgenson juric jurik jurina jurisic jurka jurko jurlina juroszek jurrijens jussila juszczuk juttner
  juvara kaamil kaar kaari kaarik kaasik kabala kabalyuk kabeer kaberia kabir kabiru kabui kaburu kabus kabza kachela kaci kacperek kaczan
  kaczka kaczmar kaczmarek kadak kadakia kaddour kaddouri kade kadela kadenge kadenyuk kadi kadija kadlec kadri kadzo kafel kafer kageha
  kagendo kager kagi kagwiria kahindi kahinu kahlina kahr kaimenyi kain kaindl kaingu kainz kairu kairys kaja kajak kajdan kajdas kajstura
  kajuju kakai kakar kala kalama kalamees kalan kalanjos kalarus kalazic kalcher kalda kale kaleem kaleema kaleja kalejs kalek kalekye
  kaletka kaliciak kalin kalinak kalinin kalinina kalinka kalisiak kalisky kalista kalita kaljula kaljurand kaljuste kaljuvee kalka kalla
  kallas kallaste kallen kallert kallio kalm kalman kalmus kalnina kalnins kaloki kalota kaltenbock kaltenbrunner kaltenegger kaluga kalume
  kalvelis kalvenas kalwa kalwak kamal kamalanon kamande kamathi kamau kambs kamdar kamel kamela kamene kamieniak kamieniarz kammerer kamp
  kamper kamran kamyk kamyszek kanana kananu kanarek kanchin kanda kandie kandora kandzia kandziora kaneko kanepa kaneps kanerva kang kangas
  kangethe kangley kangogo kangro kangur kania kaniak kanik kanivets kanja kankaanpaa kannan kansy kant kantola kanyi kapadia kapalka kapcia
  kapciak kapeller kapera kapinos kapka kapoor kapp kappel kapral kapur kapuscik kapustin kapustina kapustka kar kara karaamat karadeniz
  karagic karakashev karalus karam karamarko karambu karan karani karanja karas karczmarek karczmarz karels karge kargl kargol karhu kari
  karier karikari karimi karisa kariuki karki karklina karklins karkocha karkut karl karmalyuk karmelic karmelita karnas karner karnik karol
  karpa karpe karpeta karpiak karpiel karpik karpov karrer karro karsznia karu karuga karul karuri karuza karwan karwitha karwot karys karz
  kasak kasam kase kasel kasemaa kasemets kaser kashif kashyap kasiak kasica kasim kask kaspar kasper kasprzak kass kassim kassulke kastelic
  kastelik kaster kastner kasyoka kaszkowiak kasznia kata katana kathagen kathambi kathure katic kato katona kattai kaucic kaufman kaul
  kaulina kaulins kaupas kauppila kaur kautzer kauzlaric kavanagh kavasch kawiak kawira kawula kawulok kay kaya kaysan kayser kazana
  kazberuk kazek kazemi kazik kazimierczuk kazior kazirod kazubek kazungu keady kealey keally kealty kealy keane keaney keany keapock
  kearney kearns keary keating keaveney keaveny kebaili kebir kedziorek keebler keeffe keegan keehan keelan keeley keeling keely keenaghan
  keenahan keenan keeney keer keery keevers kehoe keightley keijser keijzer keita keitany keith kelder kelecic kelemen keler keleshev kelic
  kelleher keller kelley kellner kello kelly kelo keltenie kelvey kemboi kemei kemmer kemp kempka kempny kendall kendi kendra kenga kenig
  kenis keniz kenlan kenlon kenna kenneally kennedy kennellan kennelly kenny kensy kent keogan keogh keoghan keoghane keohan keohane keown
  keplinger kerekes kerger kerin kerins kerkhof kerkhofs kerley kerlin kerluke kermody kern kernan kerney kerr kerrigan kerrisk kerschbaumer
  kerschen kerubo kerville kerwick kesek keskitalo keskula kesov kessler ketel keter ketola ketting keudel kevane keville kevin kevo keya
  keyes khaba khabalidaka khaemba khaldi khaled khalif khalil khalsa khambule khamis khamisi khan khanna khanyeza khanyile khaphela khare
  khathi khathide khatri khawula khelif khelifa khelifi khelil kheswa khezokhulu khisa khmara kholose khomik khomo khonjwayo khorishko
  khosla khoury khoza khristich khristov khuba khubisa khuboni khudyak khukhuza khulu khuluse khumalo khumbuza khurana khuyameni khuzwayo
  khwane khwela kiama kiarie kibe kibet kibiwot kibiwott kibkalo kiboi kibor kiciak kidawa kidd kidney kidon kieber kieca kieffer kiehn
  kielan kielbik kielbus kielek kielich kieloch kiely kiema kiepas kiepura kieran kierane kierans kierat kierepka kiernan kieszek kigen
  kihara kihn kiik kiil kiilu kiio kiiru kiis kiisk kij kijanka kijas kik kikuchi kilar kilawee kilback kilbane kilbride kilcoyne kilday
  kildea kilduff kilfoyle kilgallen kilgallon kilhooly kilimnik kiliszek kiljan kilk kilkenny killeen killilea killooly killoran killoughry
  kilmartin kilmore kilonzi kilonzo kilroe kilroy kim kimachu kimaiyo kimani kimanthi kimanzi kimaru kimathi kimeli kimemia kimeu kimosop
  kimotho kimtai kimura kimutai kinaghan kinahan kinal kinder kindle kinet king kingori kingston kiniry kink kinkela kinlan kinlen kinnane
  kinnear kinnegan kinner kinnerk kinney kinnon kinny kinoshita kinoti kinsch kinsella kintziger kinuthia kinya kinyanjui kinyua kiogora
  kioko kipchirchir kipchoge kipchumba kipkemboi kipkemei kipkemoi kipkirui kipkoech kipkogei kipkorir kipkosgei kipkurui kiplagat kiplangat
  kipleting kiplimo kipngeno kipngetich kiprono kiprop kiprotich kipruto kipsang kiptanui kiptoo kiptui kiptum kipyego kipyegon kiragu
  kiraly kirby kirchmair kirchner kirimi kirincic kirk kirke kirlin kirs kirsch kirschner kirsipuu kirss kirui kirwa kirwan kiryluk kis
  kisakurek kisel kisela kiselev kisilu kisman kiss kissane kisseljov kitheka kithinji kithome kiti kitonga kitov kitprapa kitsao kitson
  kittakun kituku kitur kitzler kiuru kivela kivi kivilo kivimae kivimaki kiviniemi kivistik kivisto kivuva kiwior kjaer klaas klaja klama
  klamka klammer klanac klapac klapka klapko klapp klaric klarin klasic klatikrushev klatka klaus klausner klavina klavins kleban klebba
  kleczar kleibrink kleijse klein kleina kleinschmidt klejna klek klekot klemencic klemens klement klemm klemt klepac klepka klerks
  kleybrink kliber kligl klima klimacek klimek klimko klimo klimov klin kline kling klinger klingler kliszcz klizan kloch klocker klocko
  kloczko kloiber klokoc kloppert klorek klos klosek klotz klucznik klug kluj klups klus klyszcz klyta kmak knapek knapp knappe knaus
  kneafsey knecht kneip kniaz kniec kniha knockaert knoers knoll knowles knox knuf knyazev knych knysak kobak kobal kobayashi kobel kobelt
  kober koberl kobia kobielsky kobos kobryn kobza koc kocaj kocak kocan kocevar koch kochel kocher kochman kocian kociemba kocijancic kocis
  kocjancic kock kocko kocol kocsis kocur kocurek kocurik kocwin koczara koczy kodric koech koelpin koeman koenig koepp kof kofler koger
  kogler kogo koh kohl kohler kohli kohn kohnke kohut kohv koit koitla koiv koivisto koivula koj kojder kojima kok kokalj kokk kokko kokol
  kokoric kokosza kolade kolak kolanek kolanko kolar kolarec kolaric kolarz kolata kolb kolber kolbl kolchev kolega kolek kolen kolenc
  kolendo kolesar kolesnik kolev kolic kolk kolka koll kollar koller kolm kolman kolnik kolobov koloch kolodub kolodziej kolodziejak kolonko
  kolpak kolster kolsut kolton koltuniak koman komander komar kombe kombo komen kominiak komisarek komora komperda komsta komuda konat konda
  kondej kondo kondratev kondratjev kone konecna konecny kong kongchayasukawut kongsri koniec koniecko konig koning konings konopka konoplya
  konrad konsbruck konsek konstanty kont kontny kool koome koomson koort kopa kopala kopciuch kopec kopecky koperek kopf kopiczko kopij
  kopik kopitko kopjar kopp koppa koppel koppensteiner kopysc kopyt kopytko kopyto korab koral korbel korbut korcak korda kordus kordys
  korec korek koren koret korgul korichi korir kornak kornek kornet korniak korol korolev koros korosec korpal korpanyuk korpela korpi
  korsman korstman korsun kort korta kortman koruturk korzekwa korzeniak korzh korzonek kos kosak kosalka kosc koscielak kosciesza koscik
  kosciolek kosciuszko kosela kosgei koshelev koshy kosi kosiak kosic kosidlo kosiec kosir koskei koskela kosman kosnik kosno kosoko koss
  kossak kossler kostanic kostek kostelac kosten koster kostera kostin kostina kostka kostolzin kostorz kostov kostrec kostro kosznik kot
  kota kotala koterba kothari kotian kotlarek kotnik kotov kotsev kott kotulic kouba kouidri kovac kovacek kovacic kovacik kovacs koval
  kovalcik kovalev kovalyuk kovar kovpak kowal kowalak kowalik kowalowka kowaluk kowara koya koza kozacek kozacik kozaczuk kozak kozar
  kozdra kozdroj kozdron kozelj kozey koziarz koziatek kozica kozieja kozien koziol kozka kozlak kozma kozmon kozok kozon kozubal kozuszek
  krabbe krack kraft krainer krainz krajcar krajci krajcik krajcir krajco krajicek krajnc krajniak kral kralik kralj kraljic krall kramar
  kramaric kramberger kramer krammer kranc kranjc krantz kranz krasa krasnohorsky krastina krastins krata kratochvil kratzer kraus krause
  kraushaar krauz krauza kraxner krcelic krebs krecichwost krecke kreczmer krefta kregiel kreidl kreiger krein kreiner krekora kremer
  kremser krenc krenn krepa kreslina kreslins kresonja kretek kreusel kreuzer krezolek kriegl kriens krier krievina krievins krievs kriisa
  kris krish krishna krishnamurthy krishnan kristof krittayanukoon krivec kriz krizan krizik krochmal kroker krol kroll kronberger
  kronsteiner kroon krop kropilak krotak krpan krsanac krstev krueger krug kruger kruk krumina krumins kruns krupa krus kruschwitz kruszka
  kruszona kruze kruzel kryk krysik krysta krystkowiak kryszczuk krywult kryza krzan krzelj krzempek krzeszowiec krznaric krzosek krzyk
  krzykala krzysiek krzysko krzyskow krzystek krzysztofek krzysztoszek krzywon krzywonos krzyzostaniak ksel kshlerin ksiezak ksiezyk kub
  kuba kuban kubanek kubasiak kubec kubek kubheka kubiak kubicek kubicko kubieniec kubik kubina kubko kubo kubon kubow kubrak kucab kucera
  kucharz kucharzyk kuchciak kuchev kuciak kucic kuciel kucz kuczaj kudela kudelka kuder kudlacik kudlacz kudlak kudo kudra kudrjavtsev
  kudryashov kudryavtsev kuffa kuffel kugler kuhar kuhic kuhl kuhlman kuhn kuhnert kuijpers kuilenburg kuiper kuipers kuit kujala kujawiak
  kujda kujundzic kuk kukawka kukiela kukier kukuczka kulach kulagin kulagina kulas kuliberda kulkarni kulma kulmala kulon kultys kulus
  kumar kumer kumi kummer kumorek kumsoontorn kuna kunac kunc kunda kunde kundu kundzina kundzins kunene kunert kung kungu kuningas kunka
  kunz kunze kupa kupaj kuphal kupidura kupka kupko kups kupsjak kurach kuran kurant kurbiel kurc kurcz kurczab kurda kurek kurg kurgat
  kuria kurian kurki kurm kurniawan kurnik kuropatwa kurp kurpanik kursa kurtoic kurtyka kuruc kurui kuruvilla kurvits kurys kurz kurzac
  kurzaj kurzak kurzydlo kurzyna kus kusa kusch kusek kusi kusik kusio kusiwaa kusmawati kusmider kusnierek kusnir kuso kuster kusumo
  kuswandari kuswik kuswoyo kusyk kusztal kuszyk kut kutch kutek kutera kutnik kutsar kutt kuus kuuse kuusela kuusik kuusisto kuusk kuvalis
  kuvezdic kuza kuzia kuzior kuziora kuzmic kuzmin kuzmina kuznetsov kuznia kvist kwaadland kwaakye kwaakyewaa kwak kwamboka kwapien kwapis
  kwarciak kwartemaa kwarteng kwasek kwemoi kweyama kwinta kwok kwoka kwon kyalo kyc kycia kyei kyeiwaa kyerewaa kyne kysel kysela laakso
  laan laane laanemets laas laats laba labadie labado labaj labas labbe labeeb labelle labinjan labno labocha labonte laboy labra labrecque
  labuda labudda labus laca lacasse lace lacey lachacz lachance lachapelle lachut laciak lacina lacis lackner lacko laco lacombe lacroix
  lacy lad lada ladavac ladeck ladner ladniak ladziak lafferty laffey laffray laflamme lafleur lafontaine lagarde lagat lage lagerweij
  lagiewka lagler lago lagoda lagos lagzdina lagzdins lah lahaye lahey lahiah lahiffe lahmar laht lahteenmaki lahti lahy laib laidhleis
  laighnigh laiho lailasari laimer laine laing lajcak lajciak lajlaj lakatos lakaza lakehal lakhal lakhdari lakin lakoseljac lakota laks
  laksita laksmiwati lal lala lalak laliberte lall lalla lallemand lally lalonde lalor laloux lamac lamas lamb lambe lambers lambert lambot
  lambotte lambrecht lambrechts lambregt lamch lament lamesch lammas lammens lammer lammi lamont lamontagne lamore lamotte lamoureux lampa
  lampart lampert lampl lamprecht lamri lamula lamy lancaster lancisi landa lande landers landin landl landon landry landy lanfranchi langa
  langan langat lange langeni langer langern langevoort langier langlois langosh langworth lanigan lanka lankle lanners lansink lantz lanz
  laouar lapacz lapaj lapierre lapin lapina laplante lapointe laporte lapot lappin lapsa lara larbi larcher lardinois lardner largan largey
  laribi lariviere larkin laroche larocque larose larouche larranaga larrea larson lasa lasak lasic lasica laskawiec laskus lass lassila
  lassnig laszcz laszlo laszuk lata latacz latek lathrope latier latif latko lato latoszek latour latreche latt lattuada latupono latuszek
  latvala lau launay laur laureano laurenson laurent laureys lauri laurila lauwers lauzon lavallee lavan lavell lavelle laverty lavery
  lavigne lavin lavoie lavrentev lavric lawal lawless lawlor lawrence lawson layth lazar lazarek lazarev lazcano lazizov lazo lazov lazuardi
  leach leacy leahy leal leannon leao learmonth leary leavey leban lebar lebeau lebedev lebel leber leblanc lebon lebreton lebron lebrun
  lebsack lechner leclerc leclercq lecocq lecomte leconte lecoq leddin leddon leddy ledent lederer ledner ledoux leduc ledwich ledwith
  ledzion lee leeb leech leemans leen leene leeney lees lefebvre lefevre leffler lefort legault leger legnante legowik legrain legrand
  legros leguit legutko lehane lehiste lehner leht lehtimaki lehtla lehtmets lehto lehtola lei leibetseder leino leis leite leitgeb leithner
  leitner leiva lejeune lejk lejman leks leland lelas lelei leleu leleux lelievre lelijveld lelito lelonek leloup lemaire lemaitre lemay
  lemayian lembede lember lemeshko lemieszek lemieux lemire lemke lemmens lemmer lemoine lemonnier lempart lempereur lemus lenaerts lenaghan
  lenarcik lenc lenda leneghan lenehan lengauer lengyel lenic lenihan lenik lennane lennon lenoir lentz lenz leon leonard leonardi
  leoncavallo leone leonhartsberger leoniak leoniuk leopardi leopold lepa lepage lepak lepek lepianka lepik lepisto lepka lepp leppik lepsik
  lercari lerch lercher lerma lerner leroux leroy lertsattayanusak leruth lesage lesch lescic lesic lesik lesjak lesko leskovar leslie lesna
  lesner lesniak lesnik lesny lessard lestari lester leszcz leszczuk letelier letellier lether leto letourneau letta lettiere lettner leu
  leunberger leung leuschke leutgeb levan leveque levesque levin levine levy lew lewa lewek lewis lewko ley leyden leydon leys leyton leyva
  lezon lheureux lhoir liang liber libert liblik lica lice lichon lichtenegger licis licul liddane liddy liden liebelt liedtke liegeois
  liekens lien lienard liepa liepina liepins lieshout lievens ligas ligenza ligorio ligtvoet liguori liiv liiva liivak liivamagi lijn likar
  likhachev lilja liljegren lill lillemets lillis lillo lima limazah limbourg limo limon limonadov lin linares lincoln lind linda lindahl
  lindau lindblad lindblom linde lindell linden linder lindfors lindgren lindh lindholm lindinger lindkvist lindmark lindner lindorfer
  lindroos lindsay lindsey lindskog lindvall linehan linek linka linke linna linnane linny linschoten linskey linster lintner linton lipa
  lipka lipko lipok lipp lippens lippomano lips liptak lira lis lisak lisica lisicky lisik lison liss liston listwan litewka littel
  littizzetto litva litvin litwa litwinczuk litwiniuk liu liverotti livingston liyaaqat liyaqat lizama lizana lizon lizurej ljubetic ljubic
  ljubicic ljung ljunggren llabres llado llamas llano llanos lledo llobet llopis llorens llorente lloret lloyd lluch loaiza loba lobacz
  lobato lobo lobos lochel lochlann lockman lodej lodyga loep loera lof loffler lofgren loftus logan logar loghan logue lohmus loibhead
  loibl loidl loiseau loj loja lojek lojen lojka lojko lokaj loke lokietek lokk lollobrigida lombard lombardi lombardo lombroso lomeli
  lommert lomp london londono lonergan longan longhena longode longoria lonn lonndun looney loorits loos lopes lopez lopresti lorang lorca
  lorch lord lordan loreal loredan lorencin lorens lorent lorenz lorenzo lorreijn losa losada losatapornpipit losekann losiak loucif
  loughlin loughnane loughran loughrey loughry louis lounis loureiro lourenco louws lovato lovett lovgren lovric lowe lowery lowney lowry
  loya loyal loyola lozada lozano luay lubelo lubenets lubera luberda lubina luboch lubowitz lubs luc lucas lucchesi lucciano lucena lucero
  lucey luciani lucic lucid lucio lucitt luczka luddy ludonga ludovisi ludwig ludwik ludwin ludwiniak ludwisiak ludzik lueilwitz luengo
  luettgen luevano luger lugo luht luibhead luik luis luisead lujan lukac lukacs lukash lukasik lukasiuk lukhele lukic lukin lukina lukinic
  lukk lukowiak luks luksa luksic lukstina lukstins luksza lula lulek lumbasi lumbreras lumi lumiste lumumba luna lunam lundblad lunde
  lundell lundgren lundh lundholm lundin lundkvist lundmark lundon lunham lunney lunny luo luoma luong lupina lupiy lupo luptak luqe luqmaan
  luqman luque luria luscher luse lusiak lusis lussier lussu lustenberger luster lutf lutgen luthi lutholoni luthra luthuli luts
  luttenberger lutterveld lutz luvuno luxardo luyckx luyten luz luzi lwandle lyashko lyden lydon lyjak lynch lynchechaun lynchehaun lyne
  lyng lynn lynskey lyon lyons lyp lys lysaght lyskawa lytkin lytkina maalik maalim maas maasik maaswinkel maatta maawiya mabanga mabaso
  mabhena mabhodla mabhoko mabika mabizela mabuya mabuyakhulu mabuza maca macadoo macaleavy macallen macaloon macan macanally macart
  macarthur macauley macbreen macbride maccaffrey maccann maccartan maccarthy maccarville macclenaghan maccole maccomisky macconachy
  macconnaghy maccool maccormack maccrohan maccurtin macdermott macdevitt macdonagh macdonald macdonnell macdougall macdowell macdwyer
  macdyer mace macedo macegan macek macelgunn macesic macever macevoy macfadden macfall macfaull macgee macgeehan macgill macgilligan
  macging macginley macginnitty macginnity macginty macgloin macglynn macgovern macgreal macgroarty macguinness macgurk macha machacek
  machado machale macharia machata machenry macher macheta machnac machniak macho machon machowiak machuca machugh machul macias maciejczuk
  maciejko maciejuk macik macinerney macingwane macinnes maciocha maciol maciuk maciuszek mack mackay macken mackenna mackenzie mackeown
  mackesey mackevitt mackey mackle macko mackow maclean maclysaght macmahon macmillan macmonagle macmorrow macmullan macmullen macnabb
  macnaboe macnaboola macnally macnamara macnamee macneela macneill macnelis macnulty maco macpherson macphilbin macrea macshea macsweeney
  mactiernan macveagh macveigh macwilliams mad madan madani madar madara madariaga madaric madden maddock maddox maddy madej madela mader
  madera maderna maderno madhubuti madi madiba madide madigan madinane madlala madlanduna madlula madondo madonsela madrid madrigal madro
  madrzak madrzyk madu maduma maduna madunic madura madzia madziar madziba mae maeda maenpaa maeots maertens maes maesalu maestas maestre
  maffei mafobo mafuleka mafulela magagula magal magalhaes magan magana magann magar magauran mageba magee mageean magennis magennity mageto
  maggio maggioli maghanga magi magier magill maginn maglio magnani magolwana magombo magononde magoza magrassi magrath magryta magubane
  maguidhir maguire magujwa magutshwa magwaza magyar mahajan mahal mahamba mahamed mahamud maharaj mahat mahaye mahbeer mahbub mahdiev mahe
  mahedy maheen mahendra maher maheswara mahfuj mahfuz mahi mahieu mahlaba mahlalela mahlangu mahlase mahlinza mahlobo mahmood mahmoud
  mahmoudi mahmudov mahnet mahon mahoney mahony mahulube mahy mai maia maidana maidla maillard maillet maillot maina maingi mainka mair
  maire mairtin maitha maithya maiyo majak majcen majchrzak majczyna majd majdak majdan majdenic majeed majerus majesky majoka majola
  majorana majorek majos majozi majsterek majtyka majumdar majzner mak makar makaruk makau makela makena makhanya makhaye makhaza makhedama
  makhlouf makhloufi makhoba makhubo makhulukhulu makhunga maki makiela makinde makinwa makles mako makogon makokha makori makovac makovec
  makovica makovicky makovy maksimov maksym makulec makulu makungu makurat mala malacarne malachovsky malambule malaparte malara malas
  malatesta malave malcharek malcher malcherek maldonado malecha malek malembe malesza maleszka maletic malevu malfait malherbe malhotra
  maliglowka malik malina malipiero malisek malishko malka malki mall mallet malley mallick mallien mallon malm malmgren malnar malo maloba
  maloca malocha malon malone maloney malosev malota malowney malpighi maltais maluki maluleka maly malycha malys malysiak malyszek malyszka
  malz malzer mamani mambo mamcarz mamchur mamic mammen mamo mamojka mamontov mamula manacorda manahan manana mancebo mancilla manco mand
  manda mandal mandala mandasari mandel mander manderscheid mandl mandla mane mangal mangale mangan mangat mangcamane mangede mangel mangen
  mangena mangethe mangold mangunsong mani manista manjon manley mannan manne mannik manning mannion manniste mannisto mannix mannoia manole
  manolesso manqele manrique manriquez mans mansa mansell mansfield mansilla mansiz manso manson mansour mansouri mansur mansveld mansvelt
  mante mantegazza mantegna mantilla mantyla manuel manullang manunta manyoni manzanares manzano manzezulu manzi manzoni maouche maphalala
  maphanga maphindela maphisa mapholoba maphumulo maquet mara marach marambio maranga marangoni maras maraszek marat marazzi marbun marcacci
  marceron marchal marchand marchant marcin marcinek marciniak marciniszyn marcinko marco marcol marconi marcos marcotte marcoux mardesic
  mardhiyah mardones marecek marechal marek marenzio mares maretic marfell margas margita margol margraf margreiter mari marian maric marie
  marien marin maringer marino marion maripuu maris mariscal maritim markey markham markiel markl marko markos markovac markus marley
  marlier marmol marnach marnan maroa marolt maron maroof maros marpaung marquardt marques marquet marquez marren marrero marrinan marron
  marrone marroquin marry marsden marsh marshall marsic marsili marta martan marte martel martens marti martic martin martinak martincek
  martineau martinec martinek martinic martinka martinko martins martinson marton martorell marttila martucci marty martyka martyn marusic
  maruyama marvin marwa marx marxer mary maryadi maryati marzic marzorati masai masango masar masarik masaryk mascagni mascarenas mascaro
  mascheroni masek maseko masese masha mashaba mashasha mashimane mashiya masiak masibekela masika masikane masila masilela masina masinde
  maslach maslo maslon maslyak masna masny masokha mason masondo maspero masri massa massart masse masseron masset massey massin mastandrea
  masterson mastroianni masuda masuku maszota mata matacz matagne matahlija matamala matana matano matara matas mate matejczuk matejka
  matejuk matela mateo mateos mater materek materka materne matesa mateu mateusiak mathaba mathebela mathebula matheka mathenge mathenjwa
  matheson mathetha mathews mathias mathibela mathieu mathis mathol mathonsi mathot mathula mathunjwa mathurin mathwasa mathy mati matias
  matiasko matic matijas matile matinawin matko matla maton matos matousek matovina matraszek matsuda matsui matsumoto matsuo matt
  mattarella matteotti matthai matthews matthijs matthys mattila matula matulic matulin matulka matura maturana matus matusiak matuszyk
  matveev matvejev matyash matyjas matyjasek matyjaszek matyka matynia maughan maulana maundu maureira maurer maurery maurice maury mauti
  mavela mavra mavric mavundla mavuso mawanda maweu mawewe mawia mawira maxwell maya mayaka mayasari maye mayert mayeza mayise mayisela
  maynard mayo mayol mayor mayoral mayorga mayr mays maza mazalankosi mazan mazanek mazek mazepa mazibuko mazik maziya mazouz mazouzi mazur
  mazurek mazwi mazzacurati mazzanti mazzeo mazzi mazzocchi mbaabu mbae mbaka mbamali mbanjwa mbatha mbatshazwa mbeje mbekwa mbembe mbende
  mbhele mbhense mbhobho mbhodwe mbhulangwe mbili mbithe mbithi mbiti mbogo mbokazi mboko mbonambi mbonane mbongwa mbongwe mbotho mboya
  mboyisa mbugua mbui mbula mbulaze mbulazi mbuli mbungela mbunjwa mburu mbuthia mbutho mbuvi mbuyazi mbuyisa mbuyise mcadams mcaleavy
  mcaleenan mcaleer mcalinney mcalister mcaloon mcalunny mcambe mcambi mcanally mcanco mcandrew mcanulty mcanyana mcardle mcareavey mcatee
  mcateer mcauley mcauliffe mcaveigh mcbreen mcbride mcbrien mccabe mccadam mccadden mccafferky mccafferty mccaffrey mccaffry mccahill
  mccall mccallion mccallum mccann mccardle mccarney mccarra mccarron mccartan mccarte mccarthy mccarty mccarville mccaughan mccaughey
  mccaul mccauley mccausland mccay mcclain mcclean mcclelland mccloskey mcclure mccluskey mccolgan mccoll mccollam mccomiskey mcconaghey
  mcconaghy mcconnell mcconnon mccooey mccool mccorkill mccorley mccormick mccorry mccourt mccoy mccracken mccrann mccrea mccready mccreanor
  mccrory mccrossan mccrudden mccullagh mccullough mccumiskey mccumisky mccurdy mccurley mccurtin mccusker mcdade mcdaeid mcdaid mcdaniel
  mcdermod mcdermott mcdevitt mcdonagh mcdonald mcdougald mcdowall mcdowell mcdunphy mcdwyer mcdyer mcelduff mcelgunn mcelhattin mcellistrim
  mcelnay mcelnea mcelroe mcelroy mcelwaine mcelwee mcenaney mceneaney mcenry mcentaggart mcentee mcevaddy mcevilly mcevoy mcewen mcfadden
  mcfall mcfarland mcfarlane mcfaull mcgahey mcgalligly mcgann mcgarraghy mcgarrigle mcgarry mcgarvey mcgauran mcgaw mcgeady mcgee mcgeehan
  mcgeoghegan mcgeown mcgerr mcgettigan mcgettrick mcgill mcgillicuddy mcgilligan mcgilly mcgilroy mcginley mcginnitty mcginty mcgirl mcgirr
  mcgivern mcglinchey mcglinchy mcgloin mcglynn mcgoff mcgoldrick mcgonagle mcgough mcgourty mcgovern mcgowan mcgowern mcgrane mcgrath
  mcgreal mcgregor mcgrenehan mcgroarty mcgrory mcgruddie mcgruddy mcguigan mcguill mcguinn mcguinness mcguire mcguirk mcguirl mcgurk mchale
  mcharry mchenry mchugh mchunu mcildownie mcilroe mcilroy mcilwee mcineely mcinerney mcinnes mcintosh mcintyre mcisaac mcivor mckaigue
  mckay mckee mckeegan mckeever mckelvey mckendry mckeniry mckenna mckenny mckenzie mckeogh mckeon mckeown mckernon mckevitt mckie mckiernan
  mckillop mcking mckinley mckinney mckinnon mcknight mclachlan mclaughlin mclaverty mclean mcleer mcleese mcleigh mcleod mcloon mcloone
  mcloughlin mcmacken mcmahon mcmanaway mcmanus mcmaster mcmenamin mcmillan mcmonagle mcmorrow mcmullen mcmurray mcmurrough mcnabb mcnaboe
  mcnally mcnamara mcnamee mcnaughton mcnea mcnealy mcnee mcneely mcneil mcneill mcnelis mcnevin mcnicholas mcnicholl mcnill mcnulty mcoyi
  mcpartland mcpartlin mcpartlon mcpherson mcphilbin mcphillips mcpolin mcquade mcquaid mcqueen mcquilkan mcquillan mcquillen mcquin mcquinn
  mcrann mcready mcroarty mcrory mcshane mcsharry mcsheehy mcteague mcternan mctiernan mctigue mcusi mcveagh mcveigh mcvicker mcvitty
  mcwalter mcwaye mdaka mdakane mdladla mdlalose mdlanyoka mdlenevu mdletshe mdluli mdlumbi mdonswa mdotshana mdunge meadog meadows meads
  meaghan meagher mealaid meaney meany meara mears mebarki mecheri meciar mecik medac meddah medel medhurst medic medici medina medjahed
  medrala medrano medvecky medved medvedev mee meehan meenaghan meenan meeres meersman meert mees meeus meftah megantara megaw megger
  mehigan mehloluhlaza mehrojov mehta meic meidhreach meijer meili meindl meis meisch meissner meister meixner mejer mejia mejias melady
  melander melani melaniuk melcer melchior meldon meler melero melet melgar meli melia melican melichar melicharek melicher melichercik
  melicherik melin melis melka mella mellado mellet mellon mellor melnik melo melody melton melville melvin memela memon mena menard
  menchaca mendak mende mendes mendizabal mendonca mendoza mendyka meneses meng mengolo mennea menon mens mensa mensah mensik menthonnex
  menton mentzel menza menziwa merabet merah meraz mercadante mercader mercado mercalli mercati mercer merchant merchel mercier mercks
  merckx merda meredith mergen merila merino merisi merkushev merkx merle mernagh merrigan merritt merry mersch mertz merz merzoug merzougui
  mesa mesaric mesbah mescall mesic meskill messaoudi messina messner mestdagh meszaros metcalfe metel metella methavorakul mets mettler
  metz metzler meucci meunier meurant meurisse meusburger meyers meyiwa meza mezei meziane meziani mezzetta mfeka mfusi mgabadeli mgabhi
  mgasela mgazi mgcaleka mgenge mgilija mgobhozi mgwaba mhayise mhlabandlovu mhlambo mhlanga mhlangu mhlanya mhlongo mhlongwane mhlophe
  mhlungu miah miara miasik miasko mical micca micetic mich michael michalak michalech michalek michalica michalik michalka michalko michaud
  michaux michel michelangeli michels michelson micheni michiels michniak michnik middelkoop middlemiss middleton midura miecznik miekina
  miekus mielcarek mielcarz mielke mieloch mierzwiak mies mieszala mietka mietus migala migda migliaccio mignon migon miguel migwi mihalic
  mihalik mihelcic mihelic mihic mihoubi mijas mik mikhalyuk mikhaylyuk mikheev mikic mikiciuk mikita mikityuk mikk mikkola miklavcic
  miklecic miklik miklos miklosko mikoda miksza mikulak mikulandra mikulcic mikulec mikulik mikus mikusek mila milanesi milas milatic
  milcarz milej miletic milevoj miley milicic milina milka milla millan millar millard millea miller millet millican milligan mills milmo
  milne miloslavic milota milotic miloudi milovac milroy miltenburg mimica mimouni mimun minac minayo miner minet minhas miniati minihan
  minihane minkina minne minogue minta miocic miodek miotke miozga mir miralles miramontes miranda mireles mirga mirgos miriti miro mirocha
  mironczuk mironiuk mironshohov miros mirt mirza misak miscell mise mishin mishina mishra misiarz misiaszek misicher misiejuk misik misiko
  misior misiuk misiurek miskell misko miskowiec misra missoni misteal mistrik mistry miszkiel miszkurka miszta misztela mital mitchell
  mitei mitek mitera mitoraj mitra mitschke mitt mittal mitter mitteregger mitterer mitterlehner mittermayr miura miya miyamoto miyazaki
  mizak mizgala mizia mjadu mjoli mjwara mkhabela mkhandlela mkhatshwa mkhithi mkhize mkhokeleleki mkholo mkhonza mkhumbuzi mkhungo
  mkhwananzi mlaba mlakar mlalane mlalazi mlambo mlangatshe mlangeni mlawula mlinar mlinaric mlocek mlodzik mlondo mlot mlotek mlotshwa
  mlungisi mlungwana mlynar mlynarik mlynarz mmboga mmbone mnangat mnangwe mncube mncwabe mncwanga mngadi mngoma mngomezulu mnguni
  mngwemkhulu mngwengwe mnikathi mnisi mnomiya mnqamu mnqayi mnquhe mntambo mntimande mntungwa mnyamande mnyandu mnyoni moan mocanu moccia
  mocenigo mochev mochlichen mocibob moczko modi modiano modig modigliani modric modugno mody moen moens moensendijk moerman moes moet
  mofardin moffatt moffit mogaka mogeni mogere mogire mohamed mohammad mohammadi mohammed mohammedi mohamud mohan mohanty mohaupt moher mohr
  moiseev moisio moj mojica mojsa mojzis mokadem mokaya mokhtari mokoena mokrane mokrani mokros mokua mokwa molak molano molder molegraaf
  molek molen molenaar molga molin molina moliner molins molitor molka moll moller molloy molnar moloney molyneux momanyi monaco monaghan
  monagle monahan moncada mondaca mondadori mondise mondragon monduzzi moneta monfort mongan mongare moniuszko monk monks monnard monnet
  monney monnier monreal monroe monroy monsalve montague montalban montalti montalvo montana montanari montanariello montandon montano monte
  montecchi montecino montecinos monteiro montemayor montenegro montero montes montesano montesinos montessori monteverdi montez montgomery
  monti montoya montserrat moody moone mooney moons moor moore moors moosbrugger mora moraa morabito moradi moraes moraga morahan morais
  moraleda morales moran morand morandi morante morar morara morard morata moravcik moravec morawiak morawo morcillo morcinek mordak mordal
  moreau moreels moreira morek morel morell morellato moreno morera mores moresi morgagni morgala morgan mori moriarty moric morillo morin
  morissette morita moritz morka morlacchi morley mornane moron moroney moroz morozov morpurgo morricone morrin morris morrison morrissey
  morrocco morrow morse morsli mortati morth mortier mortimer mortka morton morucci morvan moryc morys moscarda moschino mose moser moses
  moseti mosiolek moskal moskalik moslavac mosley mosquera moss mostefaoui mostek mosur mota motak motha motte mottet mottiez mottus moturi
  motyka moulay moulin mountain moura moureau mourib mousavi mousel moussa moussaoui mouton moy moya moyano moyer moylan moynihan moyo
  mozart mozdzierz mpangazitha mpanza mphahlwa mphankomo mphazima mphemba mphephethwa mpikela mpila mpofana mpumuza mpungose mpunzana mqadi
  mqungebe mrak mraz mrazek mrazik mrazka mrazko mriosain mroczko mrotek mroz mrozek msamkhulu msane msani mseleku mshazi mshengu mshibe
  mshikela mshikila mshiyane msibi msimang msindazwe msokazi msomi msuthu msuya msweli mszyca mthabela mthalane mthanti mthembu mthethwa
  mthimkhulu mthinti mthiya mthiyane mthombeni mthonti mtimande mtolo mtshali mtumaseli mtuswa muange muasya muc mucha muchai muchangi
  muchemi mucheru muchira muchiri muchoki muchui mucko mudden mude mudgway mudlaff mudri mudronja mueller muema muendo mueni muev muga
  mugambi muganli mugendi mugica mugo mugure muhammadaliyev muhammadayubov muhammadazizov muhammadov muhammadrizoyev muhammadsafoev
  muhammadsodiqov muhammadsolihov muhammadyusupov muhammadziyoev muhia muhlbacher muhlberger muhlbock muhle muhonja muhoro muhr muhumed muia
  muigai muijs muilleoir muimi muinde muindi muir muiruri mukami mukherjee mukhin mukhina mukhopadhyay mukhwana mukiri mukoya muktar mukundi
  mularz mulawa mulcahy mulcair mulder mulders muldoon muldowney mule mulei mulet mulgrave mulgrew mulhare mulhern muli mulichen mulinge
  mulkerrin mullaghan mullaly mullan mullane mullaney mullany mullarkey mullen mullery mulligan mullin mullins mullner mullooly mullooney
  mulloughney mulloy mulongo mulqueen mulqueeny mulrain mulrooney mulroy mulry mulvany mulvenna mulvey mulvihill mulvin mulvy mulwa mulyani
  mumba mumbe mumbi mumbua mumo munari mundia munene munga mungai munguia munguti muni muniak muniz munnelly munoz munro munroe munshi
  munyao munyi munyiva munyoki munyua munywoki muoki mur murach murae murage muraguri murakami murangiri murat murata muratori muravev
  muraya murazik murcia murdoch mureithi murgas murialdo murigi muriithi murillo murimi murin muriset murithi muriuki muriungi murk murnane
  murnin muro murodov murray murri murrihy murtagh murty muru murugi murunga murungi musatti musau musaxanli muscet musee musembi musi
  musial musiala musil musila musili musimbi musiolik muskala muslimov mustac mustafa mustafayev mustapha mustapic mustofa musumba musungu
  musy musya musyimi musyoka musyoki mutahi mutai mutanu mutasa mutegi mutembei mutemi mutethia muteti muthama muthami muthee muthengi
  mutheu muthiani muthike muthoka muthomi muthoni muthui muthuri muti mutia mutie mutinda mutindi mutio mutiso mutisya mutti mutua mutugi
  mutuku mutuma mutune mutunga mutungi muturi mutwiri muuo muur muursepp muya muzic muzina muzyk mvelase mveni mvubu mvuyana mwadime mwai
  mwaka mwakio mwalimu mwamburi mwandla mwangangi mwangi mwania mwaniki mwanza mwanzia mwathi mwaura mwelase mwema mwenda mwende mwendia
  mwendwa mwero mwihaki mwikali mwinyi mwinzi mwirigi mwita mwiti mwololo mwongela mwongeli mycek mydlak mydlarz mydlo myeni myers myeza
  myga myhre myk myklebust myles myllymaki myrcha myrcik mysiak mysior myszak myszk myszor mytnik mytych mzila mzilankatha mzileni mzimela
  mzizi mzobe mzolo mzomba mzoneli mzukase mzungu mzyk naail nababan nabeel nabialek nabih nabwire naccari nacer naczk nadal nadeau nadeem
  nader nadi nadig nadkarni naeem naess naessens naf nafula nafuna nagar nagarajan nagel nagele nagi nagl nagle naglik nagorka nagy nagys
  naibei naidoo naidu naik nail naili nainggolan nair najam najeeb najera najjar najmudin nakagawa nakajima nakamura nakano nakayama
  nakhumicha nakic nala nalazek nalecz nalepka nalewajek nalewajko naliaka nalivayko nallon nally nalty nam namaga namysl namyslo nanda
  nandisa nandwa nangle nanjala naomi napitupulu napolitano naqvi narain narang naranjo narasimhan narayanan narozna narozny narpati narula
  narusis narvaez nary nasambu nascher nascimento naser naserian nash nashiruddin nasiadka nasimiyu nasri nasser nastaj nastaly nasyiah
  nasyidah natanek natarajan nath natsir natt natta naughton naumiuk naumov nauseda nava navara navarrete navarria navarro navas navone
  navratil nawoj nawrotek nayak nayar naylor nazar nazareth nazari nazario nazarko nazimek ncala ncama ncanana ncongwane ncube ncusi ncwaba
  ncwane ndaba ndabandaba ndabansele ndabase ndabezitha ndambuki ndandali ndanu ndawo ndawonde ndege ndegwa nderitu ndiaye ndichu ndiema
  ndima ndimande ndinda ndinisa ndirangu ndiritu ndiwa ndiyema ndlala ndlandla ndlangamandla ndlanya ndlanzi ndlela ndlondlo ndlovu ndolo
  ndondakusuka ndonga ndoro ndosi nduati nduku nduli ndunda ndunge ndungu nduta ndwandwe ndwiga nea neachtain neal nealon neancol neary
  nebot necci nedermeijer nedic nedjar nedzi nee needham neehan neelan neelin neenan neerachapong negele negoda negrete negron nehring
  neilan neilian neill neilson neira neirynck nek nekesa nekrasov neligan nelima nelis nelson nemec nemecek nemes nemeth nene nenzi
  neporozhniy nerger nestayko nestor neto nette neu neubacher neuhauser neuhold neulinger neumayr neumeister neumuller neuner neureiter
  neureuther neuschafer neuteboom neuville neuwirth neuzerling nevado nevala neven neves neveu neville nevin newman ney neyens neylon ngala
  nganga ngao ngari ngaruiya ngatia ngazitha ngcamane ngcamu ngcemu ngcobo ngcolosi ngei ngema ngeno ngetich ngiba ngidi ngige ngigi ngina
  ngobese ngobisi ngomane ngome ngotho ngotsha ngubane ngubeni ngugi ngui ngumbao ngungunyana ngunjiri ngure nguyen ngwane ngwazi ngwekazi
  ngwenya nhlabathi nhlane nhlanhla nhlanhlampofu nhlapho nhleko nhlengethwa nibali nicaise nicholas nicholls nichols nicholson nickel
  nickels nicol nicolas nicolau nicolay nicolucci nieborak niebudek niechcial niecko niedbal niederl niedojadlo niedospial niedzwiadek
  niemczuk niemela niemi niemira nienow nieradko nieradzik nieroda niescior niescioruk niesporek nieszporek nieto nieuwstraten nieves nievo
  niewiara niewola nigam nigg niggli nihoe niit nijak nijman nijs nikel nikitin nikitina nikolaev nikolajuk nikolaus nikolic nikolyuk niksa
  nikula niland nilles nimac ninalowo nino nipp niquille niscoromni nishimura nistor nita nitek nitra nitti nitto nitzsche nixon nizet
  nizetic niznansky njagi njambi njapha njau njenga njeri njeru njihia njiki njinji njiru njogu njoka njoki njoku njomane njoroge njue
  njuguna njuki nkabinde nkala nkamzwayo nkansa nkansah nkatha nkirote nkomo nkomose nkomoye nkonyeni nkosi nkrumah nkumane nkundlande
  nkwakha nkwali nkwaliyenkosi nkwanyana nnamani noack noble nocek noculak nodanga nodlomo noel nogantshi nogiec noguchi nogueira noguera
  nogues noh nohlmans nojek nojman nolan nollee nolty nombela nombhoco nomm nomme nommik nomndayi nomura nomvuma nondaba nondlela nonduma
  nongalaza nongalo nonis nonkosi nonkululeko nontanda nontuli nonyana noonan noone noor noordijk norac norambuena noras norbiato nordgren
  nordin nordio nordlander noren norgren nori noriega norlin norling norman normand norramon norris norrman norry north norton nosbusch
  nosiglia nosov nota notarbartolo nouar noui nouri novaes novais novak novaro novitasari novoa novosel novota novotna novotny nowak nowanqa
  nowek nowotka nowotnik nowotny nowrot nozka nozulu nqumela nsele nsia nsibande nsibanyoni nsindane nsukuza ntaka ntamonde ntanzi ntenga
  nthenya nthiga ntiamoa ntim ntinyari ntombela ntsele ntshalintshali ntshangase ntshingila ntshiza ntuli nugent nugnes nugroho nulty nunes
  nunne nur nurdiyanti nurek nurk nurm nurmi nurmuhammadov nussbaumer nussle nusslin nuut nuyts nwachukwu nwankwo nwosu nxamalala nxasana
  nxele nxumalo nyaako nyaakoaa nyaboke nyabuti nyabuto nyaga nyagaka nyaguthii nyakio nyakundi nyale nyamai nyamawi nyambane nyambose
  nyambu nyambura nyame nyamu nyamweya nyanchama nyanda nyandeni nyangaresi nyangau nyangweso nyantakyi nyathi nyawa nyawira nyawo
  nyawokhulu nyawose nyazitla nyembe nyembezi nygard nygren nyhan nyide nyk nylander nylen nyman nyoike nyokabi nyokayebululu nyongesa
  nyongwana nys nytko nzai nzama nzamela nzau nzilani nzima nzimande nzimase nzioka nzioki nzisa nzomo nzuki nzuza oak obama obando obara
  obare obarzanek obasanjo obeirn obeirne obeng oberbrunner oberemko oberhauser oberleitner obermayr obermuller oberndorfer oberweis obi
  obiala obiero obonyo oboyle obrassil obratov obrazil obrennan obrien obroinin obrown obryen obst obsut obuya obyrne ocadden ocafferky
  ocalan ocallaghan ocampo ocana ocarolan ocarroll ocasey ocasio ocassidy ocenas och ochab ochal ochieng ochnik ochnio ochoa ochola ochota
  ochwat ocleary oclery oconnell oconner oconnor ocrohan ocrowley ocurry oczko oda odaly odea odegard odera odero oderwald odescalchi
  odetola odevanney odevenny odhiambo odintsov odira odiwuor odobasic odoherty odom odongo odonnell odonoghue odonohoe odonovan odowd odoyo
  odriscoll odrzywolek oduffy odunsi oduor oduori odwyer oehri oemencs oestrovsky ofarrell ofarrelly offredi ofiara oflaherty oflynn ofner
  ofori ofosu ofreil ofriel ogada ogallagher ogara ogawa ogbuehi ogega oger ogeto ogindan oginni oglaza ogola ogoldrick ogolla ogonek
  ogorman ogowan ograbek ogrady ogrowney ogulana ogunbamigbe ogunbiyi ogunbo ogunde ogunleye ogunwobi ogunyeye ogutu ogweno ohagan ohaire
  ohalloran ohanlon ohanrahan ohara ohare ohaughey ohea ohegarty ohehir oherlihy ohickey ohiggins ohman ohno ohora ohoulihan ohri ohurley
  ohussey oispuu oja ojala ojaste ojeda ojiambo ojo ojua ojukwu ojwang okada okafor okamoto okane okearney okech okeefe okeeffe okeke okello
  okelly okelo okemwa okennedy oketch okeyo okhrimovich okieve okinyi okla okon okongo okonkwo okoro okoth oks oktaviani okuku okumu okyere
  olabode oladipupo olah olaiya olander olas olasupo olate olave olawale olaya olbrych olchawa olea oleary olejnik oleksa oleksak oleksik
  oleksiuk olesiejuk olesk oleszko olguin oliboni olinger oliva olivares olivas olive oliveira oliver olivera oliveras olivier olivo oliynik
  olko oller ollila ollivier olma olmedo olmos oloan oloo olooney oloughlin oloughlinn olowokeere oloyede olson olszowa olszyna olthof
  olubode olugbayila olujimi olukotun olukunga oluoch olusanya oluwagbemi olvera olykan omahoney omahony omair omalley omani omar omara
  omari ombasa ombati ombui omeara omeir omidina omiotek omma omojola omollo omolo omondi omooney omoore omotoso omran omullan omurnaghan
  omwenga omweri omwoyo onate ondari ondiek ondieki onditi ondras ondrasek ondrasik ondrejka ondrejko ondrus ondrusek ondrusko oneal oneill
  ong onge ongeri onio onishi onisto onjengenyamazane ono onoh onolan onsongo ontiveros onwuka onyancha onyango onyiego ooko oommen ooms
  oosterhek oosterhout oostveen opalach oparinde opas opazo opiola opiyo opizzi oplustil opmans opoka opoku opondo oppong oprea opuku
  opyrchal oquendo orafferty orahilly oras orav orawiec orban orbanic orchard ordenes oreardon oregan oreilly orekhov orellana orengo
  organisciak orina oriordan orjuela orlando orlic orlik orman ormeno ormsby orn ornat ornelas orobets orooney orosco orourke orozco orpel
  orr orrego orsolic orsos orsulic orszulik orta ortega ortese ortiz ortner ortolani ortuno oruane orucov orwa orwat orzeszek osada osborn
  osborne oscannell oscuro osei oshannon osharkey oshaughnessy oshea osheehan osheil oshiel oshin oshodi osiadacz osial osica osiemo osik
  osipiuk osipov osko oskroba oslizlo osman osojca osorio osoro ospelt ospina ospino ossama ossandon ossani osses ossipov ossola ostafin
  ostapczuk ostapiuk osterhoudt ostling ostman ostrega osullivan osuna osuntokun oswald osweeney oszust ota otcenas otero oti otiende otieno
  otierney otiwa otmani otogher otoole otremba ots otsuka ott otte ottino otto otuo ouali ouchene ouellet ouko ouma oun ounapuu ouwel
  ouwerkerk ouyang ovadia ovalle overdijk overeem oversteeg oviedo owais owczarek owen owens owino owiti owokoniran owolabi owoyemi owsiak
  owsianka owsiany owuor owusu owusuwaa oyadiran oyaifo oyarce oyaro oyarzo oyarzun oyekan oyelaran oyeniyi oyetoro oyeyemi oyinlola oyoo
  oyugi oza ozieblo ozimec ozuna paal paap paas paavola pabis pabisiak pablo pabon paccot pacharzka pacheco pacher pachla pachler pachnik
  pacholak pacholek pacholik pachoud pachuta pacia pacillo pacocha pacomio pacura pacyga paczos padden padilla padlo padmanabhan padmasari
  padovano padron paegle paez paffrath pagac pagacz pagliaro pagnotto paier paillet paimo pairceir paiva pajak pajda pajdak pajek pajer paju
  pajula pajur pakhomov pal pala palac palacio palacios palak palan palastri palau palazzo palega palej palen palgan palic palica paliga
  paliy palka palko pall palla palladio pallares pallo palm palma palman palmer palmgren palmisano palo palomaki palomar palomares palombi
  palomino palomo palonek palovcik paltrinieri palu paluch palumbo palus paluszak palyga pamic pammer panatta pancerz panchal pandey pandit
  panduric pandya pangestu paniagua panicucci panicz pant pantoja panus panzera paolucci paor pap papafava papak paparic papp paprotny
  paquay paquet paquette paquin paquot parada paradi paradis parafiniuk parashkevov parasyuk parda pardo pare paredes pareja parejo parekh
  parikh paris parisi parisian park parker parkes parkin parkinson parkitna parkitny parks parmar parmentier parmer parmitano parn parna
  parnpuu parpinel parra parri parrish parry parsa parsons partel partida partzelt parus paruta parzer parzonka parzyszek pascarella
  paschoud pasciak pascual pasek pasiak pasich pasieczna pasierbek pasiut pasko pasman pasnik pasqua pasquier passalacqua passchiers pasten
  pastine pastoors pastor pastucha pastula pastuszek pastuszko pasuk paszkowiak pasztaleniec pasztor pataki patalas patchett patel paten
  paterson pathak patil patino patla patoka patola paton patora patrick patrzalek patterson patton pattyn patyna pau paucek pauer pauk pauko
  paul paulicek paulik paulitsch paulus pauly pauwels pavanello pavarotti pavel pavelek pavelic pavelka pavelko pavic pavicic pavin pavka
  pavko pavlic pavlicek pavlicko pavlik pavlikovsky pavlin pavlo pavol pavon pavone pavuk pawela pawelko pawlak pawlik pawliszyn pawlonka
  pawlos payer payet payne paz pazdan pazdziora pazera pazik pazola pazos peacock peano pearce pearson pechel peciak peck pecnik pecotic
  pecur peda pederiva pedersoli pedisic pedrak pedraza pedrero pedro pedroni pedrosa pedroza pedrycz pedzik peeters peham peharda peiffer
  peinado peircin peiro peitrequin peixoto pekkala peksa pela pelaez pelayo pelekh pelikan pelka pellet pelletier pellicer pellico peltier
  peltola peltoniemi pena penaloza penalver penar penas pender pendl peng penic penkala pennetta pennington penttila penz pepe pepin pera
  perak peral perala perales peralta peranda perano percic perck perdomo perea perebiynis pereira perello perepelitsya perera peres pereyra
  pergande pergolesi peri peric perisic perka perkins perko perkona perkons perlik permadi permata permchart pernak perner peron peronne
  peros perozzo perreault perret perri perrier perrin perron perrono perrot perry persico persijn pertile pertiwi pertl perusko peruzzi pesa
  pesendorfer pesic pesko pesta pestov peszko petek peter peterlik peters peterse peterson petit petitjean petlyura petralli petrassi petric
  petrik petrovicky petrucci petrus petruzzi petryk pettai petty petukhov petz peukert peyton pezda pezzali pfannerstill pfeffer pfeifer
  pfeiffer pfister pfleger phakathi phakathwayo pham phan phathwayo phayre phelan phelps phetha phethela phewa phikela philban philbin
  philib philip philipp philippart philippe philips phillips phingoshe phiri phoseka phoswa phungula phusilarungrueng pianduangsri piane
  pianka piascik piaseczna piatek piazzi picard piccand piccinni piccio pich pichardo piche picheta pichler pichon pichpandecha pickering
  piddubna piddubniy pieber piechna piechura pieczarka pieczyrak piegza piejko piekacz piekara piekarek piekart pielach pielech pielka
  pieper pierard pierce pierchala pierrard pierre pierret piersa pierson pierz pierzak piesik pieszak pieters pietila pietrak pietrangeli
  pietras pietrasiak pietrek pietrus pietrusiak pietryga pietrzak piette pigafetta piggott pignatti pigott pigula pihelgas pihl pihlak piho
  piir piirsalu pika pikatsingkorn pike pikec pikk pikor piksa pikula pilarek pilich pilipczuk piljek pilka pillai pillay pilon pilz pimenta
  pina pinamonte pincheira pincherle pinda pinder pindor pindral pineau pineda pinedo pineiro pingle pinheiro pinho pinilla pininfarina
  pinol pintar pintaric pinter pinto pintor pinzon pioch piogoid piorek piotrak piotrowiak piovani piquer pirandello pirard pirc pircher
  pire pires piret pirker pirlot pirnat piron pirotte pirson pisacane pisani pisano pisaroni piskor pison pistoletto pisut piszcz pitala
  pitanuwat pitek pittman pitts pitula pitura piwek piwowarek pizarro pizon pizzamano pizziol pizzo pkemoi pla plak plana planas planeta
  plank plantak plante plantek plaskota plath plattner platzer plaucha plavec plavucha plaza plazanin plch pleban plebanek pleimeann
  pleimionn plekanec plese plesivec pleskot plesniak pletschette plewnia plich plizga plodzien plona ploom ploskonka plourde plover pniak
  poblete pochet pochopien pochron pociask pocius pock poczatek poczta poder podeszwa podgorna podgorny podhradsky podkonicky podkowa
  podlesna podniece podnieks podpora podra podsiadla podsiedlik poelmans poerio pogacnik pogorzelec pohjola pohl poil pointner poirier
  pokorna pokorny pokos pokrzywa pokuaa pokusa polak polanco poland polani polasik polaszek polauaypon polchlopek pold poldma poldmaa
  polesel poleszak polet poletek polewka polfliet poliak polic policht polis politz polizzi poljak polla pollak pollard pollet pollich pollu
  polnik polo polom polonijo polpo poltavets polzer polzl pomaa pomares pombo pometta pompa ponce poncelet ponci poncin pondov pongpanitch
  pongrac poniedzialek ponomarev pons pont pontecorvo ponti poole poom poos popa pope popov poppe porcel porcellato poreda poropat porras
  porta porter portero portilla portillo portka porto porubjak porwol porzio porzucek posada posalee posch poschl poslon posluszna posluszny
  posmyk posnik pospiech pospisil postawa postl postma potapov potega pothanun potier potocnik potoczna potok potter potters pottier potts
  potvin potyrala pou poulain poulin pouliot pouros povilonis powalka powazka powell powierza poza pozder pozega pozo pozuelo pozzecco
  prabhakar prabhu prabowo prachayaroch pracz prada pradana pradhan pradipta prado praet praga prager prakalpawong prakasa prakash pranowo
  prantl prasad prasasta prasek prasetya prasetyo prashad prastuti prat pratama pratesi prati pratiwi prats pratt prawdzik praxmarer prayoga
  prayoonhong prazmo prazuch preciado preda predovan preiss prejs prelec prempeh prendergast prenner prentice preocanin pres preston preuss
  prevost prial pribanic priede priedite prieditis priego priest prieto prikhodko primozic prince pringle prins prinz priselac pritchard
  pritula priuli privet priymak prndachka probst procacci procek prochazka prochownik procter proctor prodi proinnsias prokop prokopczuk
  prokopiak prokopovich prokurat proll pronobis proost prosacco prostak protasiuk proulx prouse provencher provost prpic prskalo prtenjaca
  pruchnik prucnal pruitt pruschke pruul pruvost pryal prygiel pryk prystupa pryszcz przeklasa przekop przekwas przenioslo przerwa przewloka
  przewozna przewozniak przewoznik przewozny przybycien przybys przystupa pszczolka ptok puc pucci puch pucher puchner pudelek pudjiastuti
  puente puentes puerta puga pugh pugliese puglisi puhakka puharic puhringer puig puirseal pujadas pujol pukk puklus pula pulci pulev pulgar
  pulido puljiz pulk pulka pundel puntigam punz pupak pupek purcell purdy puri purina purins purmale purmals purnawati purohit purwanti
  puscasu pushkar puskar puskaric puspasari puspita pustovit putek putinja puto putra putz puusepp puvi pych pyda pyrz pys pyszka pyszny
  pytko pytlarz pyza pyzel pyziak qaasim qabeel qadar qadeer qahtan qaim qais qarabagli qaseem qasif qasim qasimov qian qin qiu qoculu
  qomazitha qosali quach quadir quaide qualter quartey quartier quasimodo queally queenane quero querol quesada quevedo quezada quigley
  quigney quijada quill quillinan quilty quin quinlan quinlivan quinn quinney quinny quinones quintana quintanilla quintero quinteros
  quintus quirke quiroga quiros quiroz quispe quitzon qurbanli qureshi qusay qutaybah qutqasinli qwabe raab raadik raag raaghib raakin
  raamat raashid raatib raba rabah rabar rabb rabbani rabbitte rabee rabhi rabia rabiah rabiej rabitsch rabl rachedi racine rackham racz
  radel radelic rademaker radhakrishnan radi radic radin radisch radke radko radl radman radocaj radzio raed rael raes raeymaekers rafay
  rafeek rafferty rafi rafter raftery raftis ragan raghavan raghna raghunathan ragus raguz rahal rahayu raheel rahija rahilly rahimah rahimi
  rahman rahmani rahmawati rahmoune rahmouni rai raid raidma raifteiri raight rails raimondi rainer rais raj raja rajagopal rajagopalan
  rajala rajan rajasa rajata rajch rajchel rajcic rajda rajh rajman rajn rajtar raju rak rakela rakovan rakuljic rakus raleigh rama
  ramachandran ramadan ramadhan ramaekers ramaker ramakrishnan ramanathan ramazzotti ramdani ramesh ramis ramon ramos ramsak ramsauer ramsay
  ramsey rana randall randazzo randhawa randles randmaa randoja randolph raney ranganathan rangel ranta rantala rao raol rapa rapin
  rapisardi rappaz rapraz rasala rascon raseta rashid rasic rask raskin raspor rastija rastoder rastogi ratemo rath ratka ratke ratsep ratta
  rattan ratti rattigan raty rau rauch raud raudsepp rauhala raurica rausch rauscher rauter rautio ravaglioli raval ravi ravn rawa rawley
  ray raya rayel raymond raynaud rayner raynor razniak razny razo razov rduch rea reade reamonn reardon reavy rebane rebic rebis rebolledo
  rebollo rebrik recer recers rechberger recio reckinger recko reddin reddy redi redican reding redko redl redmond redondo reed reen rees
  reese reeves regalado regan rege regge regnier reguera rehman rehn rehorst reich reichel reicher reichert reichl reid reidy reif reig
  reijers reilly reimes reina reinbacher reindl reiner reinert reinger reinhardt reinisch reinprecht reinsalu reinthaler reis reischl reiser
  reising reisinger reisner reiter reiterer reitinger rej rejek rejmak rejmer rejniak rek remacle rembacz remmel remmers rempel remy renard
  renaud renault rendon rendulic renehan rengifo renier renner rensi renson renteria renzi repisky requena resch resnik respighi restrepo
  reszke retamal retamales rettenbacher reuter revilla rey reyes reyna reynaert reynaud reynders reynell reynolds reynoldson reynoso rezaei
  rezende rezig rezler rezmer rhatigan rhattigan rhodes riascos riba ribaric ribas ribeiro ribera ribes ribic ribicic ricart riccardi
  riccati ricci ricciardi rich richard richards richardson richey richie richmond richtar richter rickard ricko rico ricolfi riddle ridge
  rieder riedl riedler rieger riegler riehl riekstina riekstins riem riener rienzo riepl riera ries rieser rietveld riffo rigaux riggs righi
  rigney riha riihimaki rijcken rijks rijn rijntjes rikke riley rimpopov rinaldi rincon riney rinn rinne rinner rintala rio rioba riojas
  riordan rios riou rioux ripoll rippey rippin riquelme ris risa risek risko rismondo riso risteard ritacca ritchie ritosa ritter rius
  rivard rivas rivera rivero riveros rivers riviere riyanti rizzo rizzoli roa roach roache roarke roarty roba robadey robb robbins robel
  roberge roberson robert roberts robertson robeson robi robin robinson robitaille robledo robles robson roca rocamora rocca roccabonella
  roce roch rocha roche rocher rochowiak rock roczniak roda rodarte rodden roddy rode roden rodenas rodgers rodrigez rodrigo rodrigue
  rodrigues rodriquez rodzen roe roelandt roels roero roessink rogacz rogahn rogal roger rogers rogerson rogge rogiers rogner rogosic rogov
  rogula rohaan rohac rohacek rohacik rohan rohde rohleder rohrdanz rohrer rohricht rohrmoser roht rohtla roig roj rojas rojek rojka rojko
  rojnic rojo rok rolak roland roldan rolek rolfson rolland rollinger rollins rolon rom roma romagnoli romaguera romain roman romancik
  romanens romanets romaniak romano rombaut rombouts romejko romer romero romeu romijn romiti romo rompa ronan ronayne roncalli ronkko
  ronning rono ronoh roob roodesteijn rooney roos roose roosenboom roosileht ropero ropiak roque rorat rorricht ros rosa rosada rosado
  rosales rosario rosas rose rosell rosello rosenberger rosengren rosenow rosero rosiello rosin rosina roskoth roslon rosner roso rosolek
  ross rosseel rosselat rosselet rossellat rossello rossi rossiter rossler rostami roszko roter roth rotich rottensteiner rotter rotteveel
  rottiers roukes roura rourke rousseau rousseaux roussel rousselet rousset rouwenhorst rouwhorst roux rovira rowan rowe rowland rowlands
  rowley roy roybal royer royo rozak rozas roze rozic rozite rozitis rozman rozmiarek rozum rozumek rozynek ruairc ruane ruano rubacha rubaj
  ruban rubben rubbia rubene rubenis ruberto rubesa rubets rubik rubilar rubin rubinic rubio ruchala rudden ruddy rudik rudkins rudko rudolf
  rudolph rudyk rudzik rudzite rudzitis ruecker rueda ruegg ruelas ruelle rufus ruggeri ruggieri rugut ruijs ruiseal ruiz rukavina ruman
  rumjantsev rumora runte rup rupnik rupp ruppersberger ruppert rurarz rurka rus rush rusiniak rusko rusnak russel russell russo rust
  rusticucci ruszel rut rutar ruto rutten rutto ruud ruus ruutel ruwa ruz ryabets ryaboshapka ryabov ryabovil rybar rybarik rybnicek rybus
  rycerz rychcik rychel rychert ryczko ryden ryder ryfa rygula rykala ryle rymarz ryndak rynn rynne rys rysa rysko ryu ryznar rzaca rzad
  rzeszut rzeszutko rzonca rzucidlo saabir saad saadi saafir saahir saajid saal saalim saaqib saar saare saarela saari saariyah saavedra
  sabah sabak sabala sabater sabbagh sabbe sabeeh sabela sabelo sabharwal sabil sabiq sabir sabljak sabol saboor sabotic sabri sabur saburah
  sachar sacharczuk sachdev saci sacre sacristan saczuk sadan sadaqat saddamov sade sadeed sadeghi sadej sadiqov sadixov sadlak sadlik
  sadlocha sado sadoch sadownik sadowy sadura sady sadza saefullah saelens saenz saether saez safak safari saffi safitri safo safoaa sagal
  sagar sager sagese sagmeister sagredo saha sahbuzlu sahli sahlin sahni sahota sahraoui sahsuvarli saidani saidi saidov saidu sailer saina
  sainio sainz sair sairseal saito saitoti saiz saj sajda sajnog sakac sakai sakamoto sakarya saks sakurai sakwa sala salach salah salahudin
  salaj salajka salako salamanca salami salandra salas salat salata salawa salazar salcedo salcher salcido saldana saldias saldivar saldivia
  saleh salem salet salgado salgari salhi salic salieri salim salinas saliy salmela salmeron salmi salo salom salomaa salomon salopek salu
  saluda salumae salumets salva salvador salvi salvo salwin salz salzer sam sama samaniego samel samele sameya sami samiec sammer sammon
  sammy samoei samokhodov samol samoraj samosir sampaio sampath samper sampson samra samson samuel samul samulak samwel samyn sanabria
  sanches sanchez sancho sandal sandanezwe sande sandell sander sanders sanderson sandgren sandhu sandi sandin sandor sandoval sandoz
  sandvik sanetra sanford sang sangha sanghvi sanguineti sangwani sangweni sanhueza sani sanitra sanjuan sankar sankaran sanmartin sanmiguel
  sano sansoni sansonnens sant santacruz santamaria santana santander santi santiago santic santillan santner santorio santoro santos
  santoso sanudo sanz saors saoudi sapa sapala sapeta saptono saputra sarabia saraceno saracino saraf saragat saragih saran sarap sarapuu
  sardelic sargac saric sarin sarkan sarkar sarkozi sarlija sarma sarmiento sarna sarneel sarniak sarosiek sarota sarpong sarr sarraf
  sarsfield saruni sarv sasak sasaki sasiadek sass sastre sastry saternus sathe satherley sato satora satriani satsyuk satta satterfield
  sattler sauber sauberlich sauceda saucedo saudan sauer saul sauli saulite saulitis saunders saura sauro sauvage savage savant savard
  savelev saveljev savin savina savoie savorgnan sawayn sawe sawhney sawko sawyer saxena saxo sayah sayers sayyid sbarbaro scaduto scalera
  scalfaro scallan scallon scally scamarcio scandone scanlan scanlon scannell scannlain scaramucci scardino scarfoglio scarlatti scarpa
  scarpetta scarponi schaack schaaf schachinger schachner schacht schaden schadler schaefer schaeffer schafer schaffer schagen schakelaar
  schalk schaller schamberger schandl schank schantl schar scharer scharf scharinger scharroo schartner schartz schatteleijn schatz schatzl
  schaub schauer schaus scheel scheer scheffers scheibe scheiber scheidegger scheidl schellekens schelvis schenk schenkel schepens schepers
  scherer scherms scherr scherrer scherz scherzer scheucher schiavo schiavone schicchi schiefer schiestl schiffer schilcher schiller
  schilling schilt schiltz schimmel schimpl schinagl schindler schinke schinner schinnerl schintgen schipper schlager schlatter schleich
  schlesser schlogl schlosser schmeler schmid schmidinger schmidl schmidt schmidtke schmied schmiedecke schmiedt schmit schmitt schmitz
  schmolzer schmuck schnabl schneeberger schneider schnyder schober schoberl schoch schoen schofield schokman scholl scholler scholten
  scholtes scholtz scholz schomber schon schonauer schonberger schonland schoofs schoonbroodt schopf schotte schottin schou schouten
  schowalter schramm schrammel schrant schranz schreiber schreiner schrempf schrenk schrik schrittwieser schroder schroeder schroeff
  schubert schuchhardt schuh schuler schulist schuller schulten schultz schulz schumacher schumm schummer schuppe schurch schuster schutz
  schuurmans schuylenborch schwab schwaiger schwartsbach schwartz schwarz schwarzinger schwarzl schwass schweiger schweitzer schweizer
  schwendinger schwital schyns scialpi scibior scieszka scollan scotti scotto scribhin scriven scullion scully scuylenborchs seally sealy
  searle searlog searraigh sears sebastian sebo seco sedano seddiki seddio sedek sedlacek sedlak sedlar sedliak seebacher seery segarra
  segebahn segers segerson segersun segerszoen seghers segni segovia segre seguel segui seguin segura sehgal seidel seidl seifert seil
  seiler seip seiser seitric seitz seiwald sekera sekhon selami sele selecky selendic seleznev selin seliverstov sellers sels sembathwa
  semialjac semik semitecolo senator sendor sener senger sengupta sengwayo senicic senn senouci sensoy seo seoighe sepp seppa seppala
  sepulveda serao sereda serem sergeev sergejev serlupi sermonti serna serra serraglio serrano serrato sersic servais serwa serwaa serwach
  serzysko seshadri sestak sestan sestig seta seth sethi setiawan setrick setty sevcik sever sevilla sevillano sevrin seweryniak sexton
  seymour sezer sezgin sforza sgalambro sgarbi shabalala shabane shabangu shabliy shaffer shaffrey shah shahzodov shailer shakhray shakiri
  shamase shami shamray shan shanahan shand shandu shangase shange shankar shanker shanley shannon shanny shao shapoval sharaf sharapov
  shariff sharkey sharma sharpe sharry shaughnessy shaw shazi shcherbak shcherban shchiritsya shchors shchrbov shchukin shchukina shea
  sheahan sheane sheedy sheehan sheehy sheeran sheerin shehu sheikh sheil sheilds shekoni shelembe shelest shelton shen sheng shengele
  shenoy shepard shepherd sheppard shere sheremet sheremeta sheridan sherlock sherman sherry sheth shetty shevlin shezi shibase shibata
  shiel shiels shikuku shilo shimizu shin shine shirazi shiryaev shmorgun shoba shohruxov shombela shortt shovkoplyas shoyisa shozi shroff
  shtepa shtokalo shubin shubina shukhevich shukla shupe shutko shvachka shvachko shvayka siara siatka sibal sibalic sibalukhulu sibanda
  sibaya sibeko sibhene sibiga sibilia sibindi sibisi sibiya sibul sich siciarz siddiqui sidhu sidi sidler sidlo sidor sidorczuk siebenaler
  sieber sieberer siebert sieczko siedlarz siedlik sieg siegl siegrist sieja siejak siekierka siele siembab siemek siemienczuk siemieniec
  siemion sieradzan siergiej siering sierota sierpien sierra sierzant siewert siewiera siffredi sifuna sigagu sigegede sigei sigerson sigl
  sigrist sihombing sihotang siim sijadu sikhakhane sikhosana sikhunyana sikiric sikk sikobi sikora sikuku sikwayo sila silangwe sild silin
  silina silins silk silke sillanpaa sillaots sillaste siller silm silva silveira silvestri sima simanjuntak simara simard simashkevich
  simba simbolon simek simelane simeoni simic simicic simik simiyu simka simko simmon simmonds simmons simo simoens simoes simola simon
  simoncic simonic simonis simons simpson sims simson simunic sinaga sinan sinclair sinema singer singh singhal sinha sinisi sinkovec sinner
  sinnott sinozic sionainn sip sipek sipes sipic sipila sipos siqueira sirait sire sireelert siregar sirel siren siripaiboo sirko sirobaba
  sirois sirotic sirvio sisask sishangwe sishi sishiya sismondi sisneros sitar sitati sithenjwa sithole sithombo sithuli sitienei sito
  sitolotolo sitompul sitorus sitters sittisaowapak situ situm situma situmorang siudek siwa siwele siwka sixli sixtus siyaya siyeshe
  sjoblom sjodin sjogren sjoholm sjolander sjolin sjostedt sjostrand skala skalik skalka skally skantar skara skeahan skeffington skehan
  skelly skiba skiepko skierka skiles skinner skirda skivington skladanek sklar sklenar sklenarik sklenica sklenka sklorz skocz skoda skog
  skok skokan skold skolik skomra skoneczna skonieczka skoog skorik skorobogatko skotarek skoviera skowyra skrijelj skriniar skrlin skrobek
  skrobot skrtic skrzecz skubala skubis skugor skuja skujina skujins skultety skunca skup skupin skupnjak skutecky skutnik skwira slaba
  sladek sladonja slaetsdochter slagmolen slahor slamon slastan slater slattery slavica slavik slawik slebioda sleczka sledzik slegers
  slevin sleziak slimak slimani slingerland slipek slivka slivko sliz sloan sloane sloboda slobodnik slobodzian sloka slomian slomiany slon
  slonka slota slovak slovinec slowey slowiak slupek slupik slyk slyne slyusar smagacz smagala smail smajda smal smalec smardz smeets
  smektala smela smet smetek smets smid smieja smieszek smik smirnoff smit smith smitham smits smolders smolec smolic smolka smolorz smorag
  smoter smrek smullen smutek smykala smykla smyl smyth smythe snauwaert snieg snoch snow snyder soares sobarzo sobel sobilo sobkow sobolak
  sobolev sobota sobowale sobrero sobrino sobstyl sobus socha sochaj soczewka soczowka sodergren soderholm soderman sodhi soding soduba
  soffici soi soita sojda sokac sokhela sokhulu sokhwebula sokic sokk sokol sola solana solanki solano solar solarek solari soldo solej
  solek soler solera solheim solich solimena solis soliwoda soliz sollima solnica soloducha solomon solomun solorio solorzano solovev
  solovjov solsona soltan soltani soltes soltys soltysek solzer som soman somboni somers somfula somko sommaruga sommer somogyi somoza
  sompisi sondej sondisa song songiya soni sonnino sonnleitner sonqandile sontag sontuli soo sood sooksawang soolachan soolaghan soos
  soosaar soosalu soot soots sopata soper soprano soranzo sorattanachai sorbian sordi sorgatz sorger soria soriano soric sornat sorokin
  sorokina soroko sorrentino sosa sosic sosniak sosnowka sostaric sot sotelo sothole soto sotobe soucy soudani soukup souma sousa southee
  souza sow sowa sowman soyinka soylu spaan spadafora spadlo spain spallanzani spanevello spanhaak sparks spasov spears speer speijer
  spelman spence spencer spenser speri sperl spiegl spier spiess spika spiker spilar spillane spindler spinka spinola spisic spitzer
  spoljaric spolnik sporek sporer sporri spralja sprawka spreeuw spreitzer sprenger springer sproge sprogis sprong spruit spruyt sprycha
  spychaj squarcione sraffa sridhar srinivas srinivasan srisoontorn srivastava sroga sromek stac stace stachelek stachow staciwa stadler
  staelens stafford staglieno stahl stahr stalder stamm stamrood stan stanaszek stancin stanclik stancu standaert standun stanek stange
  stangl staniaszek stanic stanicic stanishev stanislawek stankevicius stanley stanton stanuch stapleton stapor staquet starega starek stark
  starosciak starosta starostka startek starzak stas stasiak stasica stasko stassin stastna stastny staub staudacher staude staudinger
  staudt stauffer staunton stawinoga stebel stecher steciuk steckel steed steele steen steenbakkers steenbeek steer stefan stefanec stefanek
  stefanik stefanka stefanko steffen stefunko steger stehr steichen steidl steiger steinacher steinbacher steinberger steinbock steindl
  steiner steininger steinke steinkellner steinlechner steinmeiern steinmetz steinwender stejskal stelmakh stelmasiak stelzer stelzl stempel
  stempin stempniak stenson stepak stepanek stephen stephens stephenson stepien stepka sterckx sterkman stern sterna stets stettler stettyn
  steuber steuer steurer stevens stevenson stewart stey steyaert stichter stiebitz stiegler stifanic stiffel stifter stiller stimac stinis
  stoch stochaj stochel stochmal stocker stockhammer stockinger stockl stockli stodola stoffel stoger stoiber stoica stoices stoj stojak
  stojnic stokes stoll stolnik stoltman stoltz stolz stolze stondun stook stopar stoppani storey storladi storm stosic stosik stosio stout
  stozek stracke stradivari straka strama stranc strand strangio strasser straszak stratford stratton strauss strawa strawbridge strazdina
  strazdins strazicic strba strbac streich streicher strickland strid striebitz strijker strik strinavic strljic strnad strnisko strobl
  stroh strojna strojwas stroka stroman stroobants strosin stroz strug strukelj strycek strycharz stryjek strzadala strzala strzepek strzoda
  strzyz stuart stubbs stucchi stuckler studer stuglik stummer stumpf stundun stupak stupalo sturlan stus stutz stwora styn stypa stypka
  stypula styrna suazo subbotin subbotina subocz subramaniam subramanian suchenek suchojad suchon suchora suchta suciu suda sudak sudiati
  sudnik sugawara sugier sugimoto sugiyama sugrue suijker suipeal sujjaboriboon sukhenai sukurlu sularz sulc sule suleiman suleymanli sulg
  sulich sulik sullivan sultanli sulzer sumera summers summerville sunavec sundaram sundell sunder sundin sunjic supel supernak superson
  suppan supple supraha sur sura surac suran suraprachit suraprasert surbek surdel surdyk sureda suresh suri surian surina surka surmiak
  suryatmi suryono sus susanti susi susnik sussebier sustar suszka suszko suter sutor sutt sutter sutton suur suvi suwarno suzuki svab svaby
  svahn svard svec svehla sverko svetlicic svistun svoboda svrbik swacha swaczyna swaleh swaminathan swanson swatek swazi sweeney sweeny
  swiadek swiatek swic swiech swierad swiergiel swierkot swierszcz swies swieton swift swigon swistek swit switaj swords sych sycz sydor
  sygut sykala sykes sykora sykut syldatk symons synak synnott syombua sypek sypien sypula syrjala syroka syslo sysoev szabla szabo szafarz
  szaj szajda szajek szajna szajner szalai szalaj szalas szalast szalata szambelan szara szarejko szarpak szaruga szarzec szatanik szatko
  szczap szczepan szczepaniak szczepaniec szczepaniuk szczerbiak szczerek szczesiak szczot szczubelek szczudlo szczypek szczypior szeja
  szekely szekeres szela szelest szemraj szeszko szilagyi szkaradek szkatula szklarek szkoda szkola szkopek szkup szlachcic szlaga szlapa
  szlapka szlek szlufik szmagaj szmaj szmajda szmalec szmelter szmuc szmurlo sznura szok szoka szoke szoltysik szostak szott szpala szpara
  szpila szpyra szpyrka szpyt szram szrama szramka sztaba sztuba sztuczka szucs szulc szulim szulist szumacher szumiec szumilo szumna szumny
  szurek szuta szwaj szwaja szwalek szwiec szyba szybiak szyc szyca szyda szygula szyja szyjka szykula szylar szyma szymajda szymala
  szymanik szymaniuk szymkow szymocha szymonik szymula szyndler taaj taal taanish tabacu tabak tabassum tabet tabis taboada taccola taciak
  taczala tadeen tadeusiak tadla tadych tafazal taferner tafoya tafuri taggart tagliafierro tahaw tahawwur taheem tahir tahmaseb tahraoui
  tahri taht taibi tailliuir tailor taimur taipale tait taj tajammul tak takacs takada takagi takahashi takala takeda takeuchi takkelenburg
  takyi talaj talal talan talat talavera talbi talbot taleb talha talhah tali taliani talib talibli talibov taliercio talpas talts talwar
  tamanna tamarit tamas tamayo tamba tamburello tamburi tamez tamm tamme tammerijn tammik tampubolon tamura tanaka tandon taneja tang tangen
  tanghe tangney tanguay tanguy tanigawa taniguchi tank tanner tansey tanui tanzer tapak tapdiqli tapia tapp tara tarach taran taranek
  tarantino tarasek tarasov tarassov tardif tarhan tarihoran tarpey tartaglia tarus tasarz tasca tasche tasso tassoni tatar tatarczuk
  tatarek tatarka tate tatozov tauber taucher tavares tavcar tawia tawkeel tay tazka tazky teahan tebaldi techer teclaw teder tedesco teearu
  teesalu tehan tehrani teixeira tejada tejeda tejedor tejera tejero tekiela tekieli telesio tella tello temmerman tena tencalla tenorio teo
  teper tepes teran teras terentev terer terka ternan terragni terrazas terrell terron terry teruel tervo terzic tesar tesfaye tesija teslya
  tessier teter teterin teterina teterycz teufl texier textor thabekhulu thabethe thabizolo thai thaker thakkar thakur thaler thalhammer
  thaller thaman thamrin thanel thango thantananont thatcher thein theis thela thembekwayo thembela thenjwayo theraulaz theriault therrien
  theunis theuri theys thibault thibaut thibodeau thiel thielen thierry thies thijs thill thilmany thinnes thiongo thirion thiry thobeni
  thole thom thoma thomas thomka thommen thompson thomson thonon thony thor thoren thorens thornton thorpe thout thoya thoyana thuku thulin
  thuliswayo thumbela thumbeza thuo thuranira thurner thusi thys tian tianvarich tiba ticha tichina tichy tiefenbacher tielemans tiepolo
  tiernan tierney tighe tiik tiits tijerina tikha tikhiy tikka tilk tillman tillmanno timek timka timko timlin timmerman timmermans timofeev
  timofejev timoney timony tinguely tinney tins tirabassi tirado tirie tirop tirpak tisaj tischler titipatrayunyong titov titus tiwaa tiwari
  tkach tlalka tlustek toal tobar tobin tobler toborek toczko todd todsapornpitakul tofil toft togher togliatti tognazzi tohall toibin toic
  tokaj tokar tokarek tolak tolan toldo toledo tolentino tolin tolj toloczko tolosa toloza toma tomal tomalak tomalik toman tomana tomanek
  tomanik tomas tomasek tomasik tomasko tomaszuk tomazic tome tomecek tomecko tomei tomek tomic tomicic tomingas tomka tomko tomlinson
  tommaseo toms tomsic tomson tomys tomzik tonc tonder tondera toner tonisto tonui toolan toole toolin toolis toom tooman toome toomey
  tooming toomsalu toor toots topa toplak topolsky torbus torfs torlonia tormay tormey tormo tornatore toro toroitich torok torp torpey
  torphy torralba torre torrecilla torrence torrens torrent torrents torres torrijos torz tos toscani toshev tosi toso tosto toth totic
  totino totwiller touati toubeau touil toumi toure tournay toussaint tovar tovstolis tovstukha towarek towett towne townsend tozzi tozzo
  tpchileshchov trabka tracey tracy traetta trainor tran trantow traoin traore trapanese trapani trapp trask tratnik trattner trauner
  trausch travaglia travaglio travers traversa travia trawka traxler traynor treacy treanor trebbi treboux treccani trei treial treier
  treinfhear trejo tremblay tremonti trenor trentin treo treoigh trepanier trepka tresoldi treutel treves trevino trevisan trevisani
  trgovcic triall triana trierweiler trigub trikasemmart trillo trimmel trinh trinkl tripathi triplat trivedi trlik trobbiani troc troch
  trochim trochimiuk trofimov troisi trojanek troka trombetta trommler tromp tron troncoso tropea trost trotta trottier troy trub truben
  trubin truchan truchel trudel trujillo trummer truong trupiano trupp trussardi trutanic truu trybala trybus tryc tryka trzcionka trzepizur
  trzmiel trznadel trzop trzos trzpil trzyna tsang tschentscher tsimbal tsimbalyuk tsisik tsotsov tsuma tsushko tsyupa tsyutsyura tubridy
  tucker tuda tudela tudic tudor tuisk tuithof tukane tukhchiev tuksar tukur tulacz tully tuma tungkasethakul tuohey tuohy tuomi tupa tupy
  tur turalli turati turchetta turchi turci turcok turcotte turgeon turina turins turk turkalo turlej turley turmes turnbull turner turon
  turongkinanon turpin turraoin turudic tusek tusk tuskan tutino tutka tutty tutu tuul tuulik tuwei tuzimek tuzzolino tveit tverdokhlib
  twardy twardzik tweneboa twidle twohey twohig twomey tworzydlo twumasi tyagnibok tyczka tyka tylec tylek tyler tylka tylman tylus tyma
  tymczyszyn tynan tyniec tyrrell tytko tywoniuk uaithne ubaadah ubadah ubaid ubaidah ubaldi ubay ubayd ubaydullah uche uchida udeh udinese
  udinesi ueda ueno ufnal ufniarz ugarte ughi ugrinic ugurlu uhban uhl uibo uittenbosch ukic uldry ulfik ulibarri uliczka ulker ulloa
  ullrich ulrich ulrych umaarah umair umanets umar umeh underwood unger uniacke uniaque unt unterberger unterweger uotila upadhyay uphaus
  uphuis uphus uppal upton uram urb urbain urban urbaniak urbany urbina urblik urbonas urena uria uriarte urias uribe urlic uroda urra urrab
  urrutia uryga urzua usada usamah usarek usic usik utama utami utrata uus uusitalo uustalu uwais uyainah uzar uzieblo vaati vabaza vaca
  vacek vachon vaci vaes vahar vaher vahi vaht vahter vahtra vaidya vaillancourt vaillant vain vainio vaino vajcik vajda vakhniy vala valach
  valadez valbuena valcarcel valdebenito valderrama valdes valdez valdivia valencia valenciano valent valenta valente valentic valentin
  valentine valentino valenzuela valera valero valette valge valguarnera vali valicek valier valimaki valjetic valk valkama vall valladares
  valle vallee vallejo vallejos vallelian vallenduuk valles vallet vallin valls valmarana valusek valverde vanaga vanags vanbrabant vance
  vandaele vandamme vandecasteele vandekerckhove vandenbergh vandenberghe vandenbroucke vandenbussche vandendriessche vandeputte
  vanderheyden vanderlinden vandermerwe vanderstraeten vandervort vandevelde vandewalle vanegas vanek vang vangisa vanhee vanhoutte vanhove
  vanneste vansteenkiste vaquero vara varadi varano varas varela vares varga vargas varghese varik varis varkey varma varty varughese vasa
  vasari vasconcelos vasek vasilashko vasilechko vasilev vasilevich vasiliev vasko vasquez vass vasseur vastenhouw vatamanyuk vattimo
  vaughan vaughn vavra vavrinec vaz vazquez veale veas vecellio vecoli veenendaal vega vegt veic veilleux veit vejar vela velandia velasco
  velasquez velazquez veldak velderman velichko veliz veloso veltman veltroni venditti vendrell venegas veneziano vengrinovich venier
  venkataraman venkatesh vento venturi vera verbeeck verbeek verbeke verbiest verbist verboom verboven verbruggen verbrugghe vercammen
  vercauteren vercelloni vercoe vercruysse verda verdejo verdi verdier verdonck verdone verdu verdugo verduzco vereecke vereecken verelst
  veres verfaillie verga vergara vergassola vergauwen vergeer vergerio vergun verhaar verhaegen verhaeghe verhagen verharen verheij verhelst
  verheuvel verheyden verheyen verhoeven verhulst verkade verkhola verkhovinets verlinden verma vermeersch vermeil vermeir vermeire
  vermeiren vermenich vermeulen vermeylen vernidub vernigora verri versace verschuere verschueren verschut versluijs verstappen verstraete
  verstraeten vertiporokh vertoor vertooren vervaeke vervaet vervoort verwimp verwoert vesel vesela vesely vespa vespucci vestin veternik
  vethayasas veum vezi vezina vezzali viaene vial viana vianello vicen vicena vicencio vicens vicente victor victory vidal vidas videla
  vidic vidmar vidoni vidov vieira vienne viera vierdag vig vigil vigliotti vigneron vignon viik viira viitala vik viks viksna vila vilain
  vilakazi vilalta vilaplana vilar vilches vilcina vilcins viljevac vilks vill villa villablanca villadicani villagomez villagra villagran
  villalba villalobos villalonga villalpando villamil villamizar villar villareal villarosa villarreal villarroel villasenor villaverde
  villegas villemson villena villeneuve vina vinas vincent vincetic vinck vincze vink vinogradov vinyuvanichkul viola virag virgilio virk
  virta visconti vishivana vishivaniy vishnyak vismara visnapuu visnovsky visochan visser vissers viswanathan vitali vitek viter vitola
  vitolina vitolins vitols vitruk vittadello vitturi vivaldi vivanco viveros vives viviani vizcaino vizintin vlach vladislavic vlaeminck
  vlasic vlasov vlassov vlasyuk vlcek vleugels vlk vlna vlnka vlokh vobla vobliy vodopivec voet vogel vogl vogler vogt vohra voinea voisin
  vojtek vojtka vojtko volaric volcke volk volkman vollbrecht volta volterra vonlanthen vonrueden voortman vora vorkapic vorobev vorobjov
  voronin vorontsov voros vos vosu vovk vozar vozila vrabec vrabelj vrablec vrancken vranckx vranic vranken vrban vretenar vrhovec vucetic
  vucin vugdelija vugec vuille vuk vukman vukusic vuljak vumisa vundla vunisa vuorela vuori vyas vydarena vydareny vzvzov waahid waajid
  waardeloo wabik wable wabomba wabwile wabwire wac wacana wachira wachter waclaw waclawiak wada wade wadhwa wadi wadood waelchi wafa wafeeq
  wafula wagener wagenknecht wagenvoort waghorn wagle wagner wahhaaj wahlgren wahner wahome wahyudin wahyuni wainaina wairimu waithaka
  waithera waithira wajdzik wajer wakhungu wakio wako wakula walasik walaszek walch walcher walder waldner waldoch waldron walek walenciak
  walencik walesa wali walia walla wallace wallen waller wallgren wallin wallis wallner walls walo waloch walocha waloszek walser walsh
  walshe walsteijn walter walters waltl walton waluk walus walusiak waluyo wamaitha wamalwa wamboi wambua wambugu wambui wambura wampach
  wamuyu wan wanda wandas wandera wandl wandzel wang wanga wangai wangare wangari wangechi wangeci wanger wangila wangui waniek wanijiku
  wanja wanjala wanjau wanje wanjiku wanjira wanjiru wanjohi wanjugu wannapaitoonsri wantz wanyama wanyoike wanyonyi wanza wanzala waraksa
  warchal ward wardzala wardziak wario warmer warmuz warnier warren warrior waruguru warui warwas warych warzybok wasala wasaznik wasek
  wasendlunkulu washington wasike wasil wasita wasiuk waskita wason wasonga wastuti wasunun waswa wasyluk watanabe waters wathelet watkins
  watras watsica watson watters wattiez waugh wauters wauthier wavinya wawak waweru wawira wawire wawryniuk wawrzonek wawrzyk wawrzyn
  wawrzynek wawrzyniak wayua wazna wazny weaver webb webby webster wechselberger wechuli weeldenburg weerdenburg weever wegier wegrzyk
  wegrzynek wegrzyniak wegscheider wehner wehrli wei weibel weidinger weigl weijland weijters weiler weimer weinberger weinhage weinhold
  weir weis weiser weisgerber weiss weissenbock weissnat weitzel wejman wekesa wela welc welch weldon welenc welf wellens weller wells
  welter wenda wende wendt wenger weninger wenzel wenzl werdes wereda weremczuk wernecke werner weru wery wesack wesola wesoly wesonga
  wester westerbeek westerburg westfal westin westman weston wever weydert weyland weylant weyrich weza wezyk whalen wheeler whelan whelehan
  whitaker whitehead whitehouse whitney whittaker whitty whyte wiaderek wiafe wiak wiatrak wibisono wibowo wicha wichary wichlacz wicht
  wiciak widhalm widiastuti widlak widmer widodo widuch wiech wieclawek wieczerzak wieczorek wiedner wiegand wieja wiek wiekiera wieladek
  wieland wielgat wielgo wielgos wieloch wiencek wiener wiercigroch wiertel wiertelak wierzchon wies wiese wieser wiesinger wiesiolek
  wiesner wietecha wiewiorka wiggins wigman wijata wijaya wijayanti wijland wika wiklo wilcken wilcox wilderman wildschut wiley wilfinger
  wilhelm wilk wilkerson wilkin wilkins wilkos willaert willame wille willekens willem willems william williams williamson willis willms
  wills wilma wilmart wilmes wilmet wilmont wilmotte wilms wilson wilton wiltzius wimmer wimolnot winandy winarno winarsih wincenciak windak
  windhager windisch windler winek winkler winnik winnrich winters wintheiser winther wipstrik wiraszka wirth wirtz wirz wisla wisoky wisozk
  wiszowata wiszowaty wita witan witas witaszek witka witko witon witos wittbrodt witting wiza wizner wladyka wlazlak wlazly wlizlo wlodarz
  wlodyka wochna wochnik wocial woda wodka wohlgemut wohlmuth wohlwend wohrer wojak wojciech wojcik wojczuk wojewodka wojewodzic wojniak
  wojnicz wojs wojsa wojslaw wojt wojtach wojtak wojtalik wojtaszak wojtczuk wojtera wojtiuk wojton wojtunik wojtyna wojtys wolan wolfe
  wolff wolffel wolfinger wolfsdr wolfswinkel wolk woloch wolodzko wolos woloszczuk woloszyk wolter wolters wolzak wong wons wood woodard
  woods woodward woolley wooning worach woroch woronko wosiak wosiek wosko woszczyna wota woulfe wouters wowra wozniak wozniczko wratt wren
  wrenn wrobel wrochna wrona wrynn wrzesniak wszola wuckert wujec wujek wulandari wulf wulff wunderink wunsch wur wurm wurzer wurzinger
  wuthrich wutke wuyts wyatt wyderka wydmuch wydrych wygoda wykret wylegala wylupek wyman wynants wynne wypchlo wypior wyroba wyrobek
  wyroslak wyrostek wyrwal wyrwich wyskiel wysota wyss wywial wziatek xaba xakimov xala xhakaza xia xiao xie ximba xiong xolidov xolo xue
  xulu yaa yaamoa yadav yadid yafir yaghnam yahaya yahi yahia yahiaoui yahyaa yahyoev yakovlev yakub yakushev yamada yamaguchi yamamoto
  yaman yamashita yamazaki yan yanazov yang yanovskiy yao yaqubov yar yarema yaremkiv yaremko yarosh yasir yates yatich yator yatsenyuk
  yawer yawson ybarra yeboa yeboah yego yegon yei yemets yengwa yengwayo yeo yepes yeresko yevtushok yeyeye yildirim yilmaz yip yirenkyi
  yizhak yizhakevich ylitalo yoder yogi yohannan yokoyama yolanda yoon yorulmaz yoshida yost young youprasert yousfi yuan yudas yudin yudina
  yuksel yulianti yuliarti yundt yuniar yunusov yurchishin yurchishina yurganchev yusifqizi yussuf yuste yusuf yusupov zaafir zaahid zaahir
  zaakir zaal zabala zabaleta zabara zabarella zabarna zabarniy zabashta zabierek zabila zabjacan zabka zaborek zaborsky zaccardo zacchia
  zacco zach zachar zachara zacharczuk zacharek zacharia zachariah zacharias zachwieja zackariya zadka zadora zadworny zaev zafar zafir
  zafrul zagar zagozda zagozdzon zagrajek zagrodnik zagula zaguri zahaar zaheer zahn zahri zahrun zahur zaidi zaitsev zajac zajc zajko zak
  zakariyoev zake zakinja zakrajsek zakusilo zal zalite zalitis zalokar zambrano zamengo zamora zamorani zamorano zampa zamudio zanazzo
  zander zangerl zanker zanzi zaoui zapadka zapasnik zapata zapior zapora zaporozhets zaragoza zaranek zarar zaras zarate zarina zarins
  zarlino zaruba zarudna zarudniy zarzeczna zasepa zastawny zasukha zasyadko zaton zatovkanyuk zatula zaucha zauner zavala zawadi zawadzki
  zawal zawalich zawartka zawiasa zawodnik zayas zayets zayidov zayika zaytsev zayyir zbiciak zbik zbinden zboncak zbrog zbroja zbrozek
  zbrzezniak zbylut zdobylak zdonek zdziech zeba zebec zebik zechmeister zechner zedillo zeemans zegadlo zegar zehetner zehnder zeiler
  zeilinger zeimes zeimet zeiner zelasko zelaya zelazek zelazo zeldenrust zeleznik zelic zeller zeltina zeltins zeman zemanek zemlak zemljic
  zeng zengin zenner zenteno zenz zepeda zera zerjav zeroual zerrouki zetticci zettl zevenboom zezelic zgola zgorelec zhadan zhalilo zhang
  zhao zharko zhayvoron zheng zhong zhou zhu zhuge zhuk zhuravel zhuravlev zhurba ziajka ziane ziani ziarek ziarnik ziarno zibert zic
  zichichi zidane zieba zieciak ziecik ziegert ziegler zieja zielke ziemak zieme ziemele ziemelis zietal zigmund zigo zijlemans zijlmans
  zima zimin zimina zimka zimmer zimmerman zimniak zimolag zimon zingg zinkevich zinovev ziola ziolko zirme zirne zirnis ziro zito zitouni
  zivic zizek zlotek zlotnik zmaic zmarzly zmija zmuda zmyslony znidarsic znojek zobel zochling zohrer zok zola zoladz zollinger zolna
  zoltek zontek zoppetto zorbach zorko zorlu zorman zorrilla zotter zou zouaoui zrilic zubairu zubcic zubek zubel zuberek zubka zubko zubrik
  zuev zufika zugaj zugec zuidweg zuijdveld zujev zulaika zulauf zulkarnain zulu zuluaga zunec zuniga zupan zupanc zupancic zupanic
  zuravljov zurawik zurcher zurita zuvela zuwayhir zuziak zuzic zvaigzne zver zvirbule zwara zwart zwiazek zybura zyga zygula zymelka zynda
  zyrek zys zysk zyto zywica zyzik
`
