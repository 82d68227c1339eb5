/** Words that are common in technical texts, counted in documentation, lower case, sorted: a capital makes none of them a name. */
export const WORDS = `
  abbrev abc abcd abcde abi abide ability abis able abort aborted aborting about above abs absolute abstract acc accelerate accelerator
  accept acceptable accepted accepting accepts access accessed accessibility accessible accessing accessor accidentally according
  accordingly account accumulate accumulated accuracy accurate achieve acorn acos acquire across act action actions activate activated
  activation activations active activity acts actual actually adapted adapter adapters adaptive adbc add added adding addition additional
  additionally additions addon addons addr address addresses adds adheres adjacent adjust adjusted advance advanced advantage affect
  affected affects affiliates after afterwards again against age agent agents ago agree agreed agreement ahead aim airyai airybi aka alert
  alg algebraic algorithm algorithms algos alias aliases aliasing align aligned alignment alive all allocate allocated allocation
  allocations allocator allow allowed allowing allows almost alone along alongside alpha alphabetically alphas alphaword already also alt
  alternate alternative alternatives although always amax ambiguity ambiguous amdsmi amin among amount amounts analysis ancestor ancestors
  anchor anchors and angle angular animal ann annotated annotation annotations anonymous another ans answer answers any anyio anymore anyone
  anything anyway anywhere api apis app appauthor appear appears append appended appending applicable application applications applied
  applies apply applying appname approach appropriate approximate approximation apps apt arange arbitrary arch architecture architectures
  archive archives archs arcname are area aren arg argc argindex argmap argmax argnums argparse args argset argument arguments argv
  arithmetic arm around arr array arrays arrow article artifact artifacts ascending ascii aseq asin asinh ask asked asking asm aspect
  assembly assert assertion assertions asserts assets assign assigned assigning assignment assistant associate associated assume assumed
  assumes assuming assumptions ast astr async asynchronous asynchronously asyncio atan aten atime atol atom atomic att attach attached
  attack attacker attacks attempt attempted attempting attempts attend attention attentions attn attr attrib attribute attributes
  attribution attrs attrspec atv aud audio auth authentication author authority authorization authorized authors auto autograd automated
  automatic automatically autotuning autowrap aux auxiliary available avcopy average avg avoid avoided avoiding avoids await aware away axes
  axis back backbone backed backend backends backfill background backport backported backslash backticks backtracking backward backwards bad
  badge badges balanced banded bandwidth bar bare barrier bars base based basename bases bash basic basically basis batch batched batches
  batching baz bbox because become becomes been before begin beginning begins behalf behave behaves behavior behaviour behind being believe
  belong belongs below bench benchmark benchmarks benefit besseli besselj bessely best beta better between beyond bfill bgcolor bias
  bidirectional big bigint bilinear bim bin binaries binary bind binding bindings binomial bins bipartite bird bisect bit bitmap bits
  bitsandbytes black blah blame blank blob block blocking blocks blocksize blog blue bnb bodies body bogus bold bool boolean booleans boot
  bootstrap border bot both bottom bottomrule bound boundaries boundary bounded bounding bounds box boxed boxes boxplot bra brac brace
  braces bracket brackets branch branches bre break breaking breaks broadcast broadcastable broadcasted broadcasting broke broken browser
  browserify browsers bseq bsz bucket buckets buf buffer buffered buffering buffers bufsize bug bugfix bugs build builder building builds
  built builtin builtins bump bundle bundled bundles bus busy but button bygroups bypass byref byte bytearray bytecode bytes cabc cache
  cached caches caching calculate calculated calculating calculation calendar call callable callback callbacks called caller callers calling
  calls came can cancel canceled cancellation candidate candidates cannot canonical cap capabilities capability capacity capitalized caps
  caption capturable capture captured capturing care careful carefully carrier carries carry cartesian case caseless cases cast casted
  casting cat catalog catch categorical categories category cats caught causal cause caused causes causing cclauss cctest cdf cdouble ceil
  ceiling cell center centrality cert certain certificate certificates cext cff cfg cflags cfloat chain chained chaining chalk challenge
  chance change changed changelog changelogs changes changing channel channels char character characters charge chars charselector charset
  chat cheb check checked checker checking checkout checkpoint checkpointing checkpoints checks cheese chi child children chmod choice
  choices choose chop chore chosen chr chunk chunked chunking chunks chunksize cin cipher ciphers circle circular circumstances cjihrig cjs
  claim claims clamp clang clarify clarity class classes classification classifier classname clean cleaned cleaning cleanup cleanups clear
  cleared clearly clears cli click client clients clip clipboard clique clobber clock clone cloned cloning close closed closely closes
  closest closing closure cls cluster clusters cmd cmdoptions cnim cnre cnt coc code codebase codec codecov codecs codegen codepath
  codepaths codepoint codes coding coef coeff coefficient coefficients coeffs coerce coerced coercion col collaborator collaborators
  collapse collapsed collect collected collection collections collective collectives collector colon color colormap colors cols column
  columns colwise com combination combinations combine combined combining come comes coming comm comma command commander commands commas
  comment comments commit commits common commonjs commonly communicate communication community commutative comp compact comparator compare
  compared compares comparing comparison comparisons compat compatibility compatible compilation compile compiled compiler compilers
  compiles compiling complement complete completed completely completer completes completion completions complex complexity compliance
  compliant complicated component components compose composed composite compound comprehension compress compressed compression computation
  computations compute computed computer computes computing con concat concatenate concatenated concatenation concept concrete concurrency
  concurrent concurrently cond condition conditional conditions conduct conf confidence config configname configs configurable configuration
  configurations configure configured confirm conflict conflicted conflicting conflicts conform confused confusing confusion conj conjugate
  conjunction conn connect connected connecting connection connections connector conscious consecutive consider considered consist
  consistency consistent consistently consisting consists console consolidate const constant constants constraint constraints construct
  constructed constructing construction constructor constructors constructs consult consume consumed consumer consumers consumes consuming
  consumption cont contact contain contained container containing contains content contents context contextlib contextmanager contexts
  contiguous continuation continue continues continuing continuous contract contraction contrast contrib contribute contributing
  contribution contributions contributor contributors control controlled controller controls conv convenience convenient convention
  conventions conversation conversion conversions convert converted converter converting converts convolution convolutional cookie coord
  coordinate coordinates coords copied copies copy copying copyright core corepack corner correct corrected correction correctly correctness
  correspond corresponding corresponds corrupt corruption cos cosh cosine cost costs cot could couldn count countdown counted counter
  counters counting country counts couple course cover coverage covered covers cpp cpplint cpu crash crashes create created creates creating
  creation credential credentials criteria criterion critical crop cross crypto cryptographic cryptography csc css csv ctx ctype ctypes cube
  cuda cumprod cumsum cumulative cur curcode curl curr current currently cursor curve custom customization customize customized cut cute
  cutlass cutoff cwd cyan cycle cycles cyclic daemon damages dark darwin dash data database dataclass dataclasses dataframe dataset datasets
  datatype date dates datetime dateutil day days dbus ddof dead deal dealing debug debugger debugging dec decay decide decimal decimals
  decipher decision decl declaration declarations declare declared decode decoded decoder decoders decoding decomp decompose decomposition
  decompositions decorated decorator decorators decrease decreasing dedent dedicated deep deepcopy def default defaultdict defaulting
  defaults defer deferred define defined defines defining definitely definition definitions deflate deg degree degrees del delay delegate
  delete deleted delimited delimiter delimiters delta demand demo denom denominator denotes dense density dep depend dependabot dependencies
  dependency dependent depending depends deprecate deprecated deprecation deprecations deps depth dequantize der dereference derivative
  derivatives derive derived desc descending descr describe described describes describing description descriptions descriptor descriptors
  design designed desired dest destination destroy destroyed destructuring det detached detail detailed details detect detected detecting
  detection detector detects determinant determine determined determines determining deterministic dev develop developer developers
  development deviation device devices dgram diag diagnostic diagnostics diagonal diagram diagrams diags diameter dict dictionaries
  dictionary dicts did didn die diff differ difference differences different differentiable differential differently differs difficult diffs
  digest digit digits dilation dill dim dimension dimensional dimensions dims dir direct directed direction directive directives directly
  directories directory dirname dirs disable disabled disables disabling disallow disallowed discard discarded disclaimer disclosure
  disconnect disconnected discovered discovery discrete discussion disk dispatch dispatched dispatcher display displayed dist distance
  distances distinct distinguish distribute distributed distribution distributions distutils div divergence divide divisible division
  divisor divisors divmod dlopen dns doc docs docstring doctest document documentation documented documents does doesn dog doing doit dok
  dom domain domains don done dont dot dotenv dots dotted double doubt down download downloaded downloading downloads downstream dpkg draft
  drain drained draw drive driver drop dropna dropout dropped dropping drops dst dta dti dtstart dtype dtypes dual due dummies dummy dump
  dumps dums dunder duplex duplicate duplicated duplicates duration durations during dynamic dynamically dynamicsymbols dynamo each eager
  earlier early easier easily easy eccentricity echo ecosystem edecl edge edges edit editable editor edits effect effective effects
  efficiency efficient efficiently effort efforts egg eggs eigenvalue eigenvalues eigenvectors either ejs elapsed electron elem element
  elements elementwise elif eliminate else elsewhere email emb embed embedded embedder embedding embeddings emeritus emit emits emitted
  emitter emitting empty enable enabled enables enabling enc enclosed enclosing encode encoded encoder encoding encodings encountered
  encourage encrypted encryption end ended ender endif ending endings endorse endpoint endpoints ends enforce enforced enforces engine
  engines enhancement enough ensure ensures ensuring enter entered entering entire entirely entities entity entries entropy entry entrypoint
  enum enumerable enumerate env environment environments envvar epilog epilogue epoch eps epsilon equal equality equals equation equations
  equiv equivalent erf erfc err errmsg errno error errors escape escaped escapes escaping eslint esm esmsh especially established eta etc
  eval evaluate evaluated evaluates evaluating evaluation even event events eventually ever every everyone everything evn evt exact exactly
  example examples exc exceed exceeded exceeds except exception exceptions excess exchange excinfo exclude excluded excluding exclusion
  exclusive exe exec execa executable executables execute executed executes executing execution executor exercise exist existence existing
  exists exit exited exiting exits exp expand expanded expanding expansion expansions expect expectation expected expecting expects
  expensive experience experimental expert experts explain explanation explicit explicitly exponent exponential exponents export exported
  exporting exports expose exposed exposes expr express expressed expression expressions exprs ext extend extended extending extends
  extension extensions extent external externally extra extract extracted extracting extraction extractor extras extremely eye fac facebook
  facets fact factor factorial factorint factorization factors factory facts fail failed failing fails failure failures faiss fake fall
  fallback falling falls false falsy family far fast faster fatal fatals favor feat feature features fed feed feedback fetch fetched
  fetching few fewer ffill fft field fields fig figsize figure file filehandle filename filenames fileobj filepath files filesystem
  filesystems fill fillchar filldedent filled filling filter filtered filtering filters final finalize finally find finder finding findroot
  finds fine fingerprint finish finished finishes finite fire fires first fish fit fits five fix fixed fixes fixing fixture fixtures fixup
  flag flags flakiness flaky flash flat flatten flattened flavor flexible flip float floating floats floor flow flowing flush flushed fmt
  fname fnmatch fns focus fold folder folders follow followed following follows font fontsize foo foobar footnotes for forbid forbidden
  force forced forces forcing foreach foreground forever forget forgot fork form format formats formatted formatter formatters formatting
  formed former forms formula forth forward forwarded forwards found foundation four fourth fqn frac fraction fragment frame frames
  framework free freed freeze freq freqs frequencies frequency fresh friendly friends from fromstring front frozen frozenset fsck fsdp fse
  fspath fsspec fulfilled full fullname fully fun func funcname funcs function functional functionality functions functools furnished
  further fused fusion fut futs future futures fzero gallery gamma gap garbage gate gather gathered gave gcc gcd gelu gen general
  generalized generally generate generated generates generating generation generator generators generic gengjiawen gens get getattr getitem
  getmask gets getter getting gid git github gitignore gitk gitweb give given gives giving glibc glob global globally globals globs goal
  goes going gone good google got goto governing gpg gracefully grad gradient gradients grads grammar grammars grant granted graph graphs
  great greater greedy green grep grid grids ground group groupcache groupcounter grouped grouping groups guarantee guaranteed guarantees
  guard guards guess gui guide guidelines gyp gzip hack had half hand handful handle handled handler handlers handles handling handshake
  hang happen happened happens hard hardware harmonic has hasattr hash hashable hashes hashlib hasn hast have haven having hbar head header
  headers heading heads health heap height held hello helmet help helper helpers helpful helps hence here hereby hermitian heuristic
  heuristics hex hidden hide hierarchy high higher highest highlight highlighter highlighting highly hint hints hist histogram history hit
  hits hmac hold holder holding holds home honor hook hooks hope horizontal host hostname hosts hour hours how however href html http https
  httpx hub huge huggingface human hunk hyper hypergeometric hyphen idea ident identical identified identifier identifiers identifies
  identify identifying identity idle idna ids idx ignore ignored ignores ignoring ikey illegal imag image images imaginary imaginaryunit img
  immediate immediately immutable impact impl implement implementation implemented implementing implements implicit implicitly implied
  implies import importable importance important imported importer importing importlib imports impossible improve improved improvement
  improvements improving inc include included includes including inclusion inclusive incoming incompatible incomplete inconsistent incorrect
  incorrectly increase increasing increment ind indent indentation indented independent independently index indexed indexer indexes indexing
  indicate indicated indicates indicating indicator indices indirect individual inductor indx inf infer inference inferred infinite infinity
  info information infos infrastructure infty inherit inherited inherits init initial initialization initialize initialized initializer
  initializing initially inject injected injection inline inner inp inplace input inputs insensitive insert inserted insertions inside
  inspect inspection inspector inst install installation installed installer installing installs instance instanceof instances instantiate
  instantiated instantiating instantiation instead instring instrlen instruction instructions int integer integers integral integrals
  integrate integration integrity intended intent intentional intentionally inter interact interacting interaction interactive intercept
  interceptor interceptors interest interested interface interfaces interleaved intermediate internal internally internals interp
  interpolate interpolation interpret interpreted interpreter intersect intersection interval intervals into introduce introduced introduces
  ints invalid invariant inverse invert invocation invocations invoke invoked invoking involve involved iojs ipaddr ipc iris irrational
  irrelevant isaacs isexe isinstance isn isna iso isolate isolated isolation issubclass issue issued issuer issues iszerofunc italic item
  items itemsize iter iterable iterables iterate iterating iteration iterations iterator iterators itermonomials itertools its itself
  jacobian jacrev javascript job jobs join joined joining joint json jsonfile jsonschema jsx just justify kbd keep keepalive keepdim
  keepdims keeping keeps kept kernel kernels ket key keyed keypoints keypress keys keystore keyword keywords kill killed kind kinds
  kindselector klass know known knows koichik kwarg kwargs kwds label labels lack lacks lag lambda land lands lang langs language languages
  large larger largest last late latency latents later latest latex latter launch launched law layer layernorm layers layout layouts lazily
  lazr lazy lbnd lcm ldflags ldots lead leading leaf leak leaked leaks learn learned learning learns least leave leaves leaving left legacy
  legal legend legendecas len length lengths less let lets letter letters level levels lex lexer lexers lhs liability lib libc libindex
  libmissing libraries library libs libuv license licensed licenses licensing licensor lidx life lifecycle lifetime light lightweight like
  likely limit limitation limitations limited limits linalg line linear lineno lines link linked linker linking links lint linter linting
  linux list listed listen listener listeners listening listing lists literal literals little live lives llhttp load loaded loader loaders
  loading loads loc local locale localhost localized locally locals located location locations lock locked lockfile locs lodash log
  logarithm logged logger loggers logging logic logical login logit logits logo logprobs logs logsumexp logx long longer longest longtable
  look looking looks lookup lookups loop loops loose lose loss losses lost lot low lower lowercase lowering lowest lst lstat mac machine
  machinery machines macro macros made magic magnitude mailmap main mainly maint maintain maintained maintainers maintaining maintenance
  major make makes making malformed malicious man manage managed management manager managers manages managing mandatory manifest manipulate
  manner manual manually many map mapped mapper mapping mappings maps margin mark markdown marked marker markers marking marks markup
  marsonya mask masked masking masks mass master mat match matched matcher matches matching material materials math mathbb mathbf mathrm
  matlab matmul matplotlib matrices matrix matter matters max maximize maximum maxloc maxsize maxsplit may maybe mbase mdast mean meaning
  meaningful means meant measure measurement measures mechanism mechanisms media median medium meeting meijerg mel mem member members
  membership memmap memo memory mention mentioned merge merged merges mergetool merging mesh message messages met meta metaclass metadata
  metavar meter meth method methods metric metrics mgf mgr microbatches micromark microsecond microseconds microsoft mid middle middleware
  midrule midx might migrate migration millisecond milliseconds mime mimetypes min mind minimal minimatch minimize minimum minor minute
  minutes minzipped mirror misbehaved misc mismatch mismatched mismatches miss misses missing mistake mix mixed mixin mjs mkdir mkdirp
  mkdirs mlflow mmap mobile mock mocked mocking mocks mod modality mode model modeling models modern modes modification modifications
  modified modify modifying modname modular module modules modulus moment momentum monitor monkey monkeypatch monom monomial monomials
  monotonic monotonically month months more most mostly mount mounted move moved moves moving mpf mpl mpmath mpq mps mrec mrow msg msup
  mtime much mul multi multigraph multiline multimodal multipart multipath multiple multiplication multiplicities multiplicity multiplied
  multiplier multiply multiprocess multirow musl must mutable mutate mutated mutating mutation mutations mutually mypy naive name named
  namedtuple names namespace namespaces naming nan nanosecond nanoseconds napi nargs narrow national native natively natural navigate
  navigation nbr nbrs nbsp nbytes ncols ncp ndarray ndim ndtype near nearest necessarily necessary need needed needs neg negated negative
  neighbor neighbors neither nested nesting net netcdf netloc network networkx never new newer newline newlines newly newmod next nice ninja
  nits njt nni nnq nnz node nodejs nodes noise nomask nomination non nonce none nonexistent nonlocal nonnegative nonpositive nonsense
  nonzero noop noqa nor norm normal normalization normalize normalized normalizers normally not notable notation note noted notes nothing
  notice notices notify notna now npm npmignore nprint npt npx nrows nsum nth ntp null nullable nullcontext nullptr nulp num number numbers
  numel numerator numeric numerical numexpr numpy nums oauthlib obj object objects obligations observed obsolete obtain obtained obtaining
  obvious occur occurred occurrence occurrences occurs odd off offer offers official officially offload offloaded offloading offs offset
  offsets often old older oldest omega omit omitted onboarding once one ones online only onnx onnxscript onto opaque opcode open
  opencollective opened opening opens openssl operand operands operate operates operating operation operations operator operatorname
  operators opinion opname opposed opposite ops opset opt optimal optimization optimizations optimize optimized optimizer optimizers option
  optional optionally options optparse opts ord order ordered ordering orders ordinal ordinals ordinary org organization orient orientation
  orig origin original originally origins orthogonal other otherframe others otherwise ought our out outdated outer outfile outgoing outmess
  output outputs outside over overall overflow overflows overhead overlap overlapping overload overloads overridden override overrides
  overriding overview overwrite overwritten own owned owner ownership owns pack package packages packaging packed packet packfile packfiles
  packing pad padded padding page pager pages pair pairs pandas paper paragraph parallel parallelism param parameter parameters params
  parent parentheses parenthesis parents parquet parse parsed parser parsers parses parsing part partial partially particle particular
  particularly partition partitions parts party pass passed passes passing passphrase password past pat patch patched patches patching
  patent path pathlib pathname pathnames paths pathspec pathway patt pattern patterns pause paused pay payload pdb pdf peak peer peft
  pending people per percent percentage perf perfect perform performance performed performing performs perhaps period periodic periodicity
  periods perl perm permission permissions permit permitted permut permutation permutator permute persistent person personal persons pfe
  phantom phase phi phone physical pick picked pickle pickler picomatch pid pidx piece pieces piecewise pil pin ping pinned pino pip pipe
  pipeline pivot pivots pixel pixels pizza pkg place placed placeholder placeholders placement placements places plain plan planner plat
  platform platformdirs platforms platlib play playwright please plist plot plots plotting plt plugin plugins plus pmatrix pnpm point
  pointed pointer pointers pointing points pol policies policy pollution poly polyfill polynomial polynomials polys pool pooled pooling pop
  populated port portability portable portion portions ports pos position positional positions positive posix posixpath posn possibility
  possible possibly post postbuilds posts potential potentially pow power powers ppc practice pragma pre prec preceded precedence precise
  precision precomputed pred predefined predicate predict predicted prediction predictions prefer preference preferred prefix prefixed
  prefixes preload preloc preparation prepare prepared prepend prepended preprocess preprocessor prerelease presence present preserve
  preserved preserves preserving pretrained pretty prev prevent preventing prevents preview previous previously prim primals primarily
  primary prime primitive primitives primordials prims principal print printables printed printer printing prints prior priority private
  prob probabilities probability probably prober problem problematic problems probs proc procedure process processed processes processing
  processor processors prod produce produced produces producing product production products prof profile profiler profiling prog program
  programming programs progress project projection projects promise promises promisified promote promoted promotion prompt prompts prop
  propagate propagated propagation proper properly properties property proposal proposed props protect protected proto protocol protocols
  prototype provide provided provider providers provides providing proxies proxy prune pruned pruning psi pspace psutil public publicly
  publish published pull pummel punctuation punycode pure purelib purely purpose purposes push pushed pushing put pwd pyarrow pydantic
  pygments pylint pymalloc pyparsing pyproject pyrefly pyright pytest python pytorch pytree pytz pyzes qapply qconfig quad qualified quality
  qualname quantity quantization quantize quantized quantizer queries query querystring question questions queue queued quic quick quickly
  quiet quite quot quote quoted quotes quoting qux race radius ragged railroad raise raised raises raising raisinten ran rand randint random
  randomness range ranges rank ranks rare rate rather ratio rational raw rcode reach reachable reached reaches react read readability
  readable readdir reader reading readline readme readonly reads ready real really realm reason reasonable reasoning reasons rebase rebuild
  rec receive received receiver receives receiving recent recently reciprocal recognize recognized recommend recommended reconstruct record
  recorded recording records recover recurrence recurse recursion recursive recursively recv red redact redirect redirected redirection
  redirects redistribute reduce reduced reducer reducers reduces reducing reduction reductions redundant redux reduxjs ref refactor
  refactored refactoring refer reference referenced references referencing referral referred refers refine reflect reflog refresh refs
  refuse refused regarding regardless regenerate regex regexp region regions register registered registers registration registry regression
  regular reindex reject rejected rejection rejects rel related relation relations relationship relative relativedelta relatively release
  released releases relevant reliable relied relies reload relu rely relying rem remain remainder remaining remains remark remote removal
  remove removed removes removing rename renamed renaming render renderable renderables rendered rendering renders rendezvous rep repack
  repeat repeated repeatedly repeats repetition repl replace replaced replacement replacements replaces replacing replay replicate
  replicated reply repo report reported reporter reporting reports repositories repository repr represent representation represented
  representing represents reproduce reps req reqs request requested requests require required requirement requirements requires requiring
  res resample rescale reserved reset reshape residual resize resized resizing reso resolution resolutions resolve resolved resolver
  resolvers resolves resolving resource resources resp respect respective respectively respond response responses responsibility responsible
  rest restart restore restored restrict restricted restriction restrictions restype result resulted resulting results resume ret retain
  retained retreat retries retrieval retrieve retrieved retry return returned returning returns retval reusable reuse reused rev reverse
  reversed revert reverted review revise revised revision revoked reward rewards rewrite rewrites rewriting rewritten rho rhs ridx right
  rights rimraf rindex ring risk rng roaming robust role rollout rollup root roots rope rot rotary rotated rotation roughly round rounded
  rounding rounds rout route router routes routine routines routing row rows rowwise rpc rref rsolve rtol rtype rule rules run runner
  running runs runtime runtimes rvs safe safely safetensors safety said salt same samp sample sampled samples sampling sandbox sanity
  satisfied satisfies satisfy save saved savelist saves saving say says scalar scalars scale scaled scales scaling scan scatter scenario
  scenarios schedule scheduled scheduler scheduling schema schemas scheme schemes scipy scl scope scoped scopes score scores scratch screen
  screenshot script scripts search searched searching sec second seconds secret secrets section sections secure security securitymd see seed
  seeing seek seem seems seen segfault segfaulted segment segmentation segments select selected selecting selection selector selectors
  selects self sell sem semantic semantics semver send sender sending sends sense sensitive sent sentence sentinel sep separate separated
  separately separator separators seq seqlen sequence sequences sequential ser serial serialization serialize serialized serializer
  serializers serializing series serve server servername servers serves service services session sessions set setattr sets setter setting
  settings setup setuptools several sha shadow shall shallow shape shapes shard sharded sharding shards share shared shares sharex sharing
  shebang shell shift shifted shifts shim ship shipped short shortcut shorter shortest shorthand should shouldn show showed showing shown
  shows shrink shutdown shutil side sides sig sigma sigmoid sign signal signals signature signatures signed significant significantly
  signing signs silence silent silently silu sim simdutf similar similarity simpfunc simple simpler simplification simplified simplify
  simply sin sinc since sine single singleton singular sinh sink site situation situations six size sizeof sizes skills skip skipna skipped
  skipping skiprows skips slash slashes slc sleep slen slice sliced slices slicing sliding slightly slot slots slow slower small smaller
  smallest smart smem sms snapshot snapshots snim snippet snode snodes snre sock socket sockets soft softmax software sol solution solve
  some someone something sometimes somewhat somewhere soon sort sorted sorting source sourcemap sources space spaces spacing span spanner
  spans sparse sparsity spatial spawn spawned spawning speaker spec special specialized specific specifically specification specified
  specifier specifiers specifies specify specifying specs spectrogram speech speed spelling spkac split splits splitting spread spring sql
  sqlalchemy sqlite sqr sqrt square srange src sre sreepurnajasti ssh ssl stability stable stack stacked stacklevel stacks stage stages
  staging stale stamp standalone standard standardize standards stars start started starting starts startup stash stat state stated
  statement statements states static statically staticmethod statistics stats status stay stays std stderr stdin stdio stdlib stdout step
  steps still stmt stop stopped stops storage store stored stores storing story str strategies strategy stray stream streaming streamline
  streams strict stricter strictly stride strided strides string stringify strings strip stripped stripping strong strongly struct structure
  structured structures stub student stuff style styler styles styling sub subclass subclasses subcommand subcommands subdir subdirectory
  subfolder subgraph subject sublicense submit submitted submodule submodules subok subpath subplots subprocess subroutine subs subschema
  subsequent subset subslist substantial substitute substitution substitutions substring subsystem subtest subtests subtle subtract subtree
  subtype succeed succeeded succeeds success successful successfully such sudo sufficient suffix suggest suggested suitable suite sum
  summary summation sup super superclass superproject supplied supply support supported supporting supports supposed suppress suppressed
  sure surface svg svn swap swapped swapping swaps switch sym symbol symbolic symbols symint symlink symlinks symmetric symmetry sympify
  sympy syms sync synchronize synchronous synchronously syntax sys sysconfig system systems tab table tables tabs tabset tabsize tabular
  tabulate tag tagged tags tail take taken takes taking talk talking tan tangent tangents tanh tap tape tar tarball tarfile target
  targetpath targets tarinfo task tasks tau taught taylor tbl tdi teacher team teardown technical tee tekken tell tells temp tempdir
  temperature tempfile template templates temporal temporarily temporary tensor tensors term terminal terminate terminated terminating
  termination terms test tested testing tests text texts textwrap tgt than thank thanks that the theanarkh thefourtheye their them theme
  themselves then there therefore thereof these theta they thing things think third this those though thought thousands thread threading
  threads three threshold through throughout throw throwing thrown throws thunk thus tick ticks tid tidx tied tile tiles time timed
  timedelta timeout timeouts timer timers times timestamp timestamps timezone timezones timing timings tiny tip title titles tls tmp tmpdir
  tmploc today todo together tok token tokenization tokenize tokenizer tokenizers tokenlist tokens toks tol told tolerance too took tool
  tooling tools top topic topk toprule torch torchcodec torchgen torchvision total touch towards tqdm trace traceback traced tracer traces
  tracing track tracked tracker tracking trackio tracks traditional trailers trailing train trainable trained trainer training
  transcendental transfer transferred transform transformation transformed transformer transformers transforms transition transitions
  translate translated translation transport transports transpose transposed trap traversal traverse travis treat treated treating treatment
  treats tree trees triangle triangular tried tries trigger triggered triggering triggers trim trimmed trio triton trivial trl trough true
  truncate truncated truncation trust trusted truth truthy try trying tsconfig tsx ttl tty ttype tuning tup tuple tuples turn turned turns
  tutorial tweak twice two typ type typed typedef typename typeof typer types typescript typespec typical typically typing typings typo
  typos tzinfo tzstr ufunc uid ujson umask umath unable uname unary unavailable unbacked unbiased uncaught unchanged uncompressed undefined
  under underline underlying underscore understand undici undirected undocumented unexpected unhandled uni unicode unicodedata unified
  uniform unify unimplemented uninitialized union unique uniques unit units unittest univariate unix unknown unless unlike unlimited unlink
  unmaintained unnecessarily unnecessary unneeded unordered unpack unpacked unreachable unrecognized unref unrelated unsafe unset unsigned
  unspecified unsqueeze unstable unsupported until untracked untrusted unused unusual unwanted unwrap upcoming update updated updates
  updating upgrade upgraded upload upon upper uppercase upstream uri url urllib urlparse urlpath urls usable usage use used useful useless
  user username users uses using usual usually utc util utilities utility utilization utils uuid uvwasi val valid validate validated
  validating validation validator validators validity valign vals value values van var varargs vardef variable variables variadic variance
  variant variants varies various vars vary vcbuild vec vect vector vectors velocity vendor vendored verbatim verbose verbosity verification
  verified verify version versionadded versionchanged versions vertex vertical vertices very via video videos view views violations virtual
  visible vision visit visited visitor visual vjp vllm vmap vmax vmin vocab vocabulary void volumes vulnerability vulnerable wadllib wait
  waiting waits walk walker walking wall want wanted wants warmup warn warned warning warnings warranty was wasi wasn watch watcher waveform
  way ways weak weakref web webcrypto webpack website websocket webstreams week weekday weight weighted weights welcome well went were what
  whatever wheel wheels when whenever where whereas whether which while white whitespace whitespaces who whole whom whose why widely width
  wiki wildcard will win windll window windows winfo wintypes wish with within without won wooorm word words work workaround worked worker
  workers workflow workflows working works workspace worktree world worth would wouter wrap wrapped wrapper wrappers wrapping wraps writable
  write writer writes writing written wrong wrt wss www xab xdoctest xerr xfail xff xim xlabel xml xpu xrange xre xticks xxx xyz yallist
  yaml yargs yarn year years yellow yerr yes yet yield yields ylabel ymd you your yourself zero zeros zeta zip zipfile zlib zone zoneinfo
`
