import { matchAt } from '../match-at.ts'
import { changesOf } from './random-letters.ts'

/** Keys whose format identifies the provider: prefix, alphabet and full length. Sources: the providers' own pages. */
interface Provider {
  name: string
  type: 'api_key' | 'auth_token' | 'private_key' | 'url' | 'secret'
  /** Literal prefixes; the pattern is only tried after one of them. */
  starts: readonly string[]
  pattern: RegExp
}

const provider = (name: string, starts: string, pattern: RegExp, type: Provider['type'] = 'api_key'): Provider => ({
  name,
  type,
  starts: starts.split(' '),
  pattern: new RegExp(pattern.source, 'y'),
})

/** A typical key prefix and a long random word with digits. */
const GENERIC_KEY =
  /(?:ghapp|expo|key|tok|token|apikey|api|pat|secret|access|auth|priv|prv)_(?:(?:live|test|prod|dev|sandbox)_)?(?=[A-Za-z0-9]*\d[A-Za-z0-9]*\d)(?=[A-Za-z0-9]*[A-Za-z])(?![a-z]+\d+(?![A-Za-z0-9]))[A-Za-z0-9]{24,80}(?![A-Za-z0-9_-])/

const PROVIDERS: readonly Provider[] = [
  provider('anthropic', 'sk-ant-', /sk-ant-[a-z0-9]{2,12}-[A-Za-z0-9_-]{20,200}/),
  provider('openai', 'sk-', /sk-(?:proj|svcacct|admin|None|service)-[A-Za-z0-9_-]{20,220}/),
  provider('openrouter', 'sk-or-', /sk-or-v\d-[0-9a-f]{40,64}/),
  provider('openai', 'sk-', /sk-[A-Za-z0-9]{20,64}(?![A-Za-z0-9_-])/),
  provider('langsmith', 'lsv2_', /lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}/),
  provider(
    'github',
    'ghp_ gho_ ghs_ ghu_ ghr_',
    /gh[posur]_(?:\d{1,20}_eyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,2000}|[A-Za-z0-9]{36,255})/,
  ),
  provider('github', 'github_pat_', /github_pat_[A-Za-z0-9]{20,24}_[A-Za-z0-9]{50,64}|github_pat_[A-Za-z0-9_]{36,100}/),
  provider(
    'gitlab',
    'glpat- gldt- glrt- glcbt- glwt- glptt- glft- glimt- glagent- gloas- glsoat- glffct-',
    /gl(?:pat|wt|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_-]{20,64}(?:\.[0-9a-z]{2}\.[0-9a-z]{7,9})?/,
  ),
  provider('hugging face', 'hf_ api_org_', /(?:hf|api_org)_[A-Za-z]{30,40}|hf_[A-Za-z0-9]{32,40}/),
  provider('nvidia', 'nvapi-', /nvapi-[A-Za-z0-9_-]{60,70}|nvapi-[A-Za-z0-9_-]{32,}/),
  provider('aws', 'AKIA ASIA ABIA ACCA AROA AIDA', /A(?:KIA|SIA|BIA|CCA|ROA|IDA)[A-Z2-7]{16}(?![A-Za-z0-9])/),
  provider('slack', 'xox', /xox[abeoprs]-[A-Za-z0-9-]{10,250}|xox[a-z]\.xox[a-z]-\d-[A-Za-z0-9]{80,}/),
  provider('slack', 'xapp-', /xapp-\d-[A-Z0-9]{8,}-\d+-[a-f0-9]{32,}/),
  provider('npm', 'npm_', /npm_[A-Za-z0-9]{36}/),
  provider('signed session', 'eyJ', /eyJ[A-Za-z0-9_-]{8,600}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27}(?![A-Za-z0-9_-])/, 'auth_token'),
  provider('pypi', 'pypi-', /pypi-AgE[A-Za-z0-9_-]{50,}/),
  provider('google', 'AIza', /AIza[A-Za-z0-9_-]{35}/),
  provider('google oauth', 'ya29.', /ya29\.[A-Za-z0-9_-]{20,}/, 'auth_token'),
  provider('google oauth', 'GOCSPX-', /GOCSPX-[A-Za-z0-9_-]{28}/),
  provider('google refresh', '1//', /1\/\/0[A-Za-z0-9_-]{40,}/, 'auth_token'),
  provider('stripe', 'sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ pk_test_', /[srp]k_(?:live|test)_[A-Za-z0-9]{16,247}/),
  provider('stripe webhook', 'whsec_', /whsec_[A-Za-z0-9+/]{24,64}=*/),
  provider('sendgrid', 'SG.', /SG\.[A-Za-z0-9_-]{16,24}\.[A-Za-z0-9_-]{39,50}/),
  provider('twilio', 'SK', /SK[0-9a-f]{32}(?![0-9A-Za-z])/),
  provider('twilio', 'AC', /AC[0-9a-f]{32}(?![0-9A-Za-z])/),
  provider('mailgun', 'key-', /key-[0-9a-f]{32}(?![0-9A-Za-z])/),
  provider('mailchimp', '', /[0-9a-f]{32}-us\d{1,2}(?![0-9A-Za-z])/),
  provider('brevo', 'xkeysib- xsmtpsib-', /x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}/),
  provider('postman', 'PMAK-', /PMAK-[0-9a-f]{24}-[0-9a-f]{34}/),
  provider('digitalocean', 'dop_v1_ doo_v1_ dor_v1_', /do[opr]_v1_[0-9a-f]{64}/),
  provider('digitalocean spaces', 'DO00', /DO00[A-Z0-9]{16}(?![A-Za-z0-9])/),
  provider('shopify', 'shpat_ shpca_ shppa_ shpss_', /shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/),
  provider('square', 'EAAA sq0atp- sq0csp- sq0idp-', /EAAA[A-Za-z0-9_-]{60}|sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,43}/),
  provider('linear', 'lin_api_ lin_oauth_', /lin_(?:api|oauth)_[A-Za-z0-9]{32,64}/),
  provider('notion', 'ntn_', /ntn_[A-Za-z0-9]{40,50}/),
  provider('notion', 'secret_', /secret_[A-Za-z0-9]{43}(?![A-Za-z0-9_])/),
  provider('figma', 'figd_', /fig[du]_[A-Za-z0-9_-]{40,}/),
  provider('databricks', 'dapi', /dapi[0-9a-f]{32}(?:-\d)?(?![0-9A-Za-z])/),
  provider('vault', 'hvs. hvb. hvr.', /hv[sbr]\.[A-Za-z0-9_-]{24,}/, 'auth_token'),
  provider('terraform', 'atlasv1.', /atlasv1\.[A-Za-z0-9_=-]{60,}/),
  provider('honeycomb', 'hcaik_ hcxik_ hcbik_ hcalk_ hcamk_', /hc[axb][a-z]k_[0-9a-z]{50,64}/),
  provider('doppler', 'dp.', /dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{1,40}\.)?[A-Za-z0-9]{40,44}/),
  provider('grafana', 'glsa_ glc_', /glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|glc_[A-Za-z0-9+/]{32,}={0,2}/),
  provider('new relic', 'NRAK- NRJS- NRII-', /NRAK-[A-Z0-9]{27}|NRJS-[0-9a-f]{19}|NRII-[A-Za-z0-9_-]{32}/),
  provider('new relic', '', /(?:eu\d\dxx)?[0-9a-f]{30,36}NRAL/),
  provider('sentry', 'sntrys_ sntryu_', /sntrys_eyJ[A-Za-z0-9+/=_]{40,}|sntryu_[0-9a-f]{64}/),
  provider('groq', 'gsk_', /gsk_[A-Za-z0-9]{48,56}/),
  provider('xai', 'xai-', /xai-[A-Za-z0-9]{70,90}/),
  provider('perplexity', 'pplx-', /pplx-[A-Za-z0-9]{40,56}/),
  provider('replicate', 'r8_', /r8_[A-Za-z0-9]{37,40}/),
  provider('fireworks', 'fw_', /fw_[A-Za-z0-9]{22,24}(?![A-Za-z0-9])/),
  provider('together', 'tgp_v1_', /tgp_v1_[A-Za-z0-9_-]{40,}/),
  provider('pinecone', 'pcsk_', /pcsk_[A-Za-z0-9]{5,8}_[A-Za-z0-9]{40,70}/),
  provider('weights and biases', 'wandb_v1_', /wandb_v1_[A-Za-z0-9_]{40,}/),
  provider('tavily', 'tvly-', /tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,40}/),
  provider('exa, resend', 're_', /re_[A-Za-z0-9]{7,10}_[A-Za-z0-9]{20,28}/),
  provider('supabase', 'sbp_ sb_secret_', /sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{28,40}/),
  provider('planetscale', 'pscale_', /pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}/),
  provider('fly', 'FlyV1 fo1_', /FlyV1 fm\d[A-Za-z]?_[A-Za-z0-9+/=,_-]{80,}|fo1_[A-Za-z0-9_-]{40,45}/),
  provider('heroku', 'HRKU-', /HRKU-[A-Za-z0-9_-]{36,64}/),
  provider('dropbox', 'sl.', /sl\.(?:u\.)?[A-Za-z0-9_-]{100,}/, 'auth_token'),
  provider('docker', 'dckr_pat_ dckr_oat_', /dckr_[po]at_[A-Za-z0-9_-]{27,32}/),
  provider('atlassian', 'ATATT3 ATBB ATCTT3', /AT(?:ATT|CTT)3[A-Za-z0-9_=-]{60,250}|ATBB[A-Za-z0-9]{32}/),
  provider('airtable', 'pat', /pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/),
  provider('asana', '1/', /1\/\d{16}:[0-9a-f]{32}/),
  provider('rubygems', 'rubygems_', /rubygems_[0-9a-f]{48}/),
  provider('crates.io', 'cio', /cio[A-Za-z0-9]{32}(?![A-Za-z0-9])/),
  provider('nuget', 'oy2', /oy2[a-z0-9]{43}(?![A-Za-z0-9])/),
  provider('clojars', 'CLOJARS_', /CLOJARS_[0-9a-f]{60}/),
  provider(
    'pem in base64',
    'LS0tLS1CRUdJTi',
    /LS0tLS1CRUdJTi(?:BQUklWQVRFIEtFWS|BSU0EgUFJJVkFURSBLRVkt|BFQyBQUklWQVRFIEtFWS|BEU0EgUFJJVkFURSBLRVkt|BPUEVOU1NIIFBSSVZBVEUgS0VZ|BFTkNSWVBURUQgUFJJVkFURSBLRVkt|BQR1AgUFJJVkFURSBLRVkg)[A-Za-z0-9+/]{40,20000}={0,2}/,
    'private_key',
  ),
  provider('telegram', '', /\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/),
  provider('discord', 'M N O', /[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}(?![A-Za-z0-9_-])/),
  provider('age', 'AGE-SECRET-KEY-1', /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/, 'private_key'),
  provider('tailscale', 'tskey-', /tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{6,24}-[A-Za-z0-9]{20,40}/),
  provider('ngrok, planetscale', 'ak_', /ak_[A-Za-z0-9]{26,30}(?![A-Za-z0-9_])/),
  provider('1password', 'ops_', /ops_eyJ[A-Za-z0-9+/=]{200,}/),
  provider('cloudflare', 'cfut_ cfat_ cfk_', /cf(?:ut|at|k)_[A-Za-z0-9]{40}[0-9a-f]{8}(?![A-Za-z0-9_])/),
  provider('bedrock', 'ABSK bedrock-api-key-', /ABSK[A-Za-z0-9+/]{100,270}={0,2}|bedrock-api-key-[A-Za-z0-9+/_-]{80,4000}={0,2}/),
  provider('context7', 'ctx7sk-', /ctx7sk-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/),
  provider('dbt', 'dbtc_ dbtu_', /dbt[cu]_[A-Za-z0-9_-]{30,60}(?:\.[A-Za-z0-9_-]{10,40})?/),
  provider('gemini', 'AQ.Ab', /AQ\.Ab[A-Za-z0-9_-]{30,80}(?![A-Za-z0-9_-])/),
  provider('brave', 'BSA', /BSA[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])/),
  provider('cursor', 'crsr_', /crsr_[0-9a-f]{64}(?![A-Za-z0-9_])/),
  provider('cloudflare', 'v1.0-', /v1\.0-[0-9a-f]{24}-[0-9a-f]{146}/),
  provider('alibaba', 'LTAI', /LTAI[A-Za-z0-9]{12,26}(?![A-Za-z0-9])/),
  provider('tencent', 'AKID', /AKID[A-Za-z0-9]{32}(?![A-Za-z0-9])/),
  provider('facebook', 'EAA', /EAA[A-Za-z0-9]{90,250}/, 'auth_token'),
  provider('contentful', 'CFPAT-', /CFPAT-[A-Za-z0-9_-]{43}/),
  provider('launchdarkly', 'sdk- api-', /(?:sdk|api)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/),
  provider('posthog', 'phc_ phx_', /ph[cx]_[A-Za-z0-9]{40,48}/),
  provider('mapbox', 'sk.eyJ pk.eyJ', /[ps]k\.eyJ[A-Za-z0-9_-]{40,200}\.[A-Za-z0-9_-]{20,60}/),
  provider(
    'vercel',
    'vercel_blob_rw_ vcp_ vci_ vca_ vcr_ vck_',
    /vercel_blob_rw_[A-Za-z0-9]{10,24}_[A-Za-z0-9]{20,60}|vc[piark]_[A-Za-z0-9]{40,70}/,
  ),
  provider('firebase messaging', 'AAAA', /AAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{100,160}/),
  provider('netlify', 'nfp_ nfo_ nfc_ nfu_', /nf[pocu]_[A-Za-z0-9_]{36,48}/),
  provider('render', 'rnd_', /rnd_[A-Za-z0-9]{28,48}/),
  provider('sonarqube', 'sqp_ squ_ sqa_', /sq[pua]_[0-9a-f]{40}/),
  provider('sourcegraph', 'sgp_', /sgp_(?:[A-Za-z0-9]{16}_|local_)?[0-9a-f]{40}/),
  provider('pulumi', 'pul-', /pul-[0-9a-f]{40}/),
  provider('prefect', 'pnu_ pnb_', /pn[ub]_[A-Za-z0-9]{36}/),
  provider('readme', 'rdme_', /rdme_[a-z0-9]{70}/),
  provider('dynatrace', 'dt0', /dt0[a-z]\d{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}/),
  provider('duffel', 'duffel_', /duffel_(?:test|live)_[A-Za-z0-9_-]{43}/),
  provider('flutterwave', 'FLWSECK FLWPUBK', /FLW(?:SECK|PUBK)(?:_TEST)?-[A-Za-z0-9]{12,48}(?:-X)?/),
  provider('razorpay', 'rzp_', /rzp_(?:live|test)_[A-Za-z0-9]{14}/),
  provider('easypost', 'EZAK EZTK', /EZ[AT]K[A-Za-z0-9]{54}/),
  provider('shippo', 'shippo_', /shippo_(?:live|test)_[0-9a-f]{40}/),
  provider('infracost', 'ico-', /ico-[A-Za-z0-9]{32}/),
  provider('openshift', 'sha256~', /sha256~[A-Za-z0-9_-]{43}/, 'auth_token'),
  provider(
    'plaid',
    'access-',
    /access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/,
    'auth_token',
  ),
  provider('typeform', 'tfp_', /tfp_[A-Za-z0-9_.=-]{40,62}/),
  provider('buildkite', 'bkua_ bkaj_ bkct_', /bk(?:ua|aj|ct)_[A-Za-z0-9]{36,48}/),
  provider('circleci', 'CCIPAT_ CCIPRJ_', /CCIP(?:AT|RJ)_[A-Za-z0-9]{18,26}_[0-9a-f]{40}/),
  provider('mailersend', 'mlsn.', /mlsn\.[0-9a-f]{64}/),
  provider('adafruit', 'aio_', /aio_[A-Za-z0-9]{28}(?![A-Za-z0-9])/),
  provider('jfrog', 'AKCp cmVmdG', /AKCp[A-Za-z0-9]{60,80}|cmVmdG[A-Za-z0-9]{50,70}/),
  provider('deepgram, elevenlabs', 'sk_', /sk_[0-9a-f]{40,64}(?![A-Za-z0-9_])/),
  provider('jina', 'jina_', /jina_[0-9a-f]{32}[A-Za-z0-9_-]{20,40}/),
  provider('voyage', 'pa-', /pa-[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/),
  provider('langfuse', 'sk-lf- pk-lf-', /[sp]k-lf-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/),
  provider('helicone', 'sk-helicone-', /sk-helicone-[a-z0-9-]{30,60}/),
  provider('cerebras', 'csk-', /csk-[a-z0-9]{40,60}/),
  provider('neon', 'napi_', /napi_[a-z0-9]{60,70}/),
  provider('axiom', 'xaat- xapt-', /xa[ap]t-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/),
  provider('paddle', 'pdl_', /pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}/),
  provider('polar', 'polar_', /polar_(?:oat|pat|at_[uo])_[A-Za-z0-9]{40,64}/),
  provider('scaleway', 'SCW', /SCW[A-Z0-9]{17}(?![A-Za-z0-9])/),
  provider('backblaze', 'K00', /K00\d[A-Za-z0-9+/]{27}(?![A-Za-z0-9+/])/),
  provider('fly', 'fm1r_ fm1a_ fm2_', /fm(?:1[ar]|2)_[A-Za-z0-9+/_-]{100,}=*/),
  provider(
    'stytch, statsig',
    'secret-',
    /secret-(?:(?:live|test)-[A-Za-z0-9_-]{36,48}=?|(?=[A-Za-z]*\d)[A-Za-z0-9]{40,48})(?![A-Za-z0-9_-])/,
  ),
  provider('hubspot', 'pat-', /pat-(?:na|eu|ap)\d-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/),
  provider('clickup', 'pk_', /pk_\d{6,10}_[A-Z0-9]{32}(?![A-Za-z0-9_])/),
  provider('firecrawl', 'fc-', /fc-[0-9a-f]{32}(?![A-Za-z0-9_-])/),
  provider('e2b', 'e2b_', /e2b_[0-9a-f]{40}(?![A-Za-z0-9_])/),
  provider('braintrust', 'sk-bt-', /sk-bt-[A-Za-z0-9]{32,60}/),
  provider('runpod', 'rpa_', /rpa_(?:[A-Z0-9]{40,50}|[A-Z0-9]{40}[a-z0-9]{6})(?![A-Za-z0-9_])/),
  provider('linear webhook', 'lin_wh_', /lin_wh_[A-Za-z0-9]{30,64}/),
  provider('frame.io', 'fio-u-', /fio-u-[A-Za-z0-9_-]{60,70}/),
  provider('open vsx', 'ovsxat_ ovsxp_', /ovsx(?:at|p)_[A-Za-z0-9_-]{32,48}/),
  provider('anyscale, lightning', 'esecret_ lsk-', /esecret_[A-Za-z0-9]{24,40}|lsk-(?=[A-Za-z]*\d)[A-Za-z0-9]{28,48}(?![A-Za-z0-9_-])/),
  provider('trigger.dev', 'tr_', /tr_(?:prod|dev|stg|preview)_[A-Za-z0-9]{20,40}(?![A-Za-z0-9_])/),
  provider('inngest', 'signkey-', /signkey-(?:prod|test|branch|dev|staging)-[0-9a-f]{32,64}/),
  provider('nylas', 'nyk_', /nyk_v0_[A-Za-z0-9]{50,70}/),
  provider(
    'unkey, depot, hex',
    'unkey_ depot_ hexpm_',
    /unkey_[A-Za-z0-9]{20,32}|depot_(?:project|org|user)_[0-9a-f]{40,70}|hexpm_[0-9a-f]{32,64}/,
  ),
  provider('age', 'AGE-SECRET-KEY-1', /AGE-SECRET-KEY-1[A-Z0-9]{58}/),
  provider('yandex static', 'YCAJE YCP', /YCAJE[A-Za-z0-9_-]{20}(?![A-Za-z0-9_-])|YCP[A-Za-z0-9_-]{37}(?![A-Za-z0-9_-])/),
  provider('snyk', 'snyk_', /snyk_(?:uat|sat)\.[a-z0-9]{8}\.[A-Za-z0-9_.-]{40,}/),
  provider('mongodb atlas', 'mdb_sa_', /mdb_sa_sk_[A-Za-z0-9_-]{36,44}/),
  provider('zuplo', 'zpka_', /zpka_[0-9a-f]{32}_[0-9a-f]{8}/),
  provider('infisical', 'st.', /st\.[0-9a-f]{24}\.[0-9a-f]{32}\.[0-9a-f]{32}/),
  provider('yandex', 'AQVN y0_ t1.', /AQVN[A-Za-z0-9_-]{35,38}|y0_[A-Za-z0-9_-]{50,60}|t1\.[A-Z0-9a-z_-]{80,}=*\.[A-Za-z0-9_-]{80,}/),
  provider('baidu', 'bce-v3', /bce-v3\/ALTAK-[A-Za-z0-9]{21}\/[0-9a-f]{40}/),
  provider('lob', '', /(?:live|test)_(?:pub_)?(?=[A-Za-z]{0,30}\d)[A-Za-z0-9]{30,40}(?![A-Za-z0-9_])/),
  provider('key prefix', '', GENERIC_KEY),
  provider(
    'clickup, clerk, others',
    '',
    /(?:pk|sk|rk)_(?:[a-z]{2,8}_)?(?=[A-Za-z0-9]*\d)(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{24,80}(?![A-Za-z0-9_-])/,
  ),
  provider('azure devops', '', /[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}/),
  provider('zhipu', '', /[0-9a-f]{32}\.[A-Za-z0-9]{16}(?![A-Za-z0-9_.-])/),
]

/** Providers by the first three characters of their keys, folded to five bits each. */
const BY_START = new Map<number, Provider[]>()
const BY_TWO = new Map<number, Provider[]>()
/** Providers with a one-character prefix. */
const BY_ONE = new Map<number, Provider[]>()
/** Index of three characters in a table of 1 << 15 entries. */
export const foldedIndex = (first: number, second: number, third: number) => ((first & 31) << 10) | ((second & 31) << 5) | (third & 31)
const pairIndex = (first: number, second: number) => first * 128 + second
const addProvider = (map: Map<number, Provider[]>, key: number, one: Provider) => {
  const all = map.get(key) ?? []
  if (!all.includes(one)) map.set(key, [...all, one])
}
/** Whether a key may begin with this character; rules out most words cheaply. */
export const MAY_BEGIN = new Uint8Array(128)
const MAY_BEGIN_THREE = new Uint8Array(1 << 15)
const MAY_BEGIN_TWO = new Uint8Array(1 << 14)
const MAY_BEGIN_ONE = new Uint8Array(128)
/** First three characters of keys, folded. Shorter prefixes are entered with every continuation. */
export const BEGINNINGS = new Uint8Array(1 << 15)
for (const one of PROVIDERS) {
  for (const start of one.starts) {
    if (start === '') continue
    const first = start.charCodeAt(0)
    MAY_BEGIN[first] = 1
    const from = foldedIndex(first, start.charCodeAt(1), start.charCodeAt(2))
    BEGINNINGS.fill(1, from, from + (start.length === 1 ? 1 << 10 : start.length === 2 ? 1 << 5 : 1))
    if (start.length === 1) {
      addProvider(BY_ONE, first, one)
      MAY_BEGIN_ONE[first] = 1
    } else if (start.length === 2) {
      addProvider(BY_TWO, pairIndex(first, start.charCodeAt(1)), one)
      MAY_BEGIN_TWO[pairIndex(first, start.charCodeAt(1))] = 1
    } else {
      const key = foldedIndex(first, start.charCodeAt(1), start.charCodeAt(2))
      addProvider(BY_START, key, one)
      MAY_BEGIN_THREE[key] = 1
    }
  }
}
/** Providers whose keys have no fixed prefix; matched by shape. */
const NUMBERED = PROVIDERS.filter((one) => one.name === 'telegram')
const SHAPED = PROVIDERS.filter((one) => one.starts.includes('') && one.name !== 'telegram')

/** Positions of the first dot in a bot token. */
const FIRST_POINT = 24
const LAST_POINT = 28
/** Whether the first characters, or the dot of a bot token, allow a key here. */
export function mayBeKey(text: string, at: number, first: number): boolean {
  const second = text.charCodeAt(at + 1)
  if (
    MAY_BEGIN_THREE[foldedIndex(first, second, text.charCodeAt(at + 2))] === 1 ||
    (second < 128 && MAY_BEGIN_TWO[pairIndex(first, second)] === 1)
  )
    return true
  if (MAY_BEGIN_ONE[first] === 0) return false
  for (let point = FIRST_POINT; point <= LAST_POINT; point += 1) if (text.charCodeAt(at + point) === 46) return true
  return false
}

/** Documented samples and obvious fillers in well-formed keys. */
const SAMPLE =
  /EXAMPLE|example|xxxxx|XXXXX|\*\*\*|\.\.\.|(.)\1{7,}|1234567890(?:abc|123)|abcdefghijkl|0123456789abcdef|your[-_]|YOUR[-_]|placeholder|REDACTED|TYooMQauvdEDq54NiTphI7jx|4eC39HqLyjWDarjtT1zdp7dc/

/** The key of a known provider that starts here, or null. */
export function providerKeyAt(text: string, at: number): { provider: Provider; end: number } | null {
  const first = text.charCodeAt(at)
  const second = text.charCodeAt(at + 1)
  const start = foldedIndex(first, second, text.charCodeAt(at + 2))
  const key =
    (MAY_BEGIN_THREE[start] === 1 ? keyOf(text, at, BY_START.get(start)) : null) ??
    keyOf(text, at, BY_TWO.get(pairIndex(first, second))) ??
    keyOf(text, at, BY_ONE.get(first))
  return key === null && first >= 48 && first <= 57 ? keyOf(text, at, NUMBERED) : key
}

/** The key without a fixed prefix that starts here; only tried on long words. */
export const shapedKeyAt = (text: string, at: number) => keyOf(text, at, SHAPED)

function keyOf(text: string, at: number, candidates: readonly Provider[] | undefined) {
  if (candidates === undefined) return null
  for (const one of candidates) {
    if (!one.starts.some((start) => text.startsWith(start, at))) continue
    const match = matchAt(one.pattern, text, at)
    if (match === null || SAMPLE.test(match[0])) continue
    return { provider: one, end: at + match[0].length }
  }
  return null
}

/** A secret of an app in Entra: three characters, a version, `Q~` and the rest. `at` is the tilde. */
const ENTRA = /[A-Za-z0-9_~.]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}/y
export function entraSecretAt(text: string, tilde: number): { start: number; end: number } | null {
  const match = matchAt(ENTRA, text, tilde - 5)
  return match === null || SAMPLE.test(match[0]) ? null : { start: tilde - 5, end: tilde - 5 + match[0].length }
}

/** Prefixes of ids and hashes, which are no secrets. */
const PUBLIC_PREFIX =
  /^(?:sha\d+|md5|h1|blake\w*|hash|rev|commit|etag|checksum|digest|integrity|sri|msg|req|toolu|srvtoolu|call|chatcmpl|cmpl|resp|rs|item|file|run|thread|asst|step|evt|event|trace|span|session|sess|batch|gen|id|img|image|icon|chunk|index|vendor|test|layer|cus|sub|in|pi|pm|ch|price|prod|si|txn|cs|cid|bafy\w*|build|bundle|asset|static|node|pod|job|task|user|org|proj|team|workspace|fn|func|class|var|const|css|sc|jsx|nonce|salt|publishable|pub|pk)$/i
const PREFIXED = /((?:[A-Za-z][A-Za-z0-9]{0,11}[_-]){1,3})([A-Za-z0-9_-]{32,100})(?![A-Za-z0-9_=+/-])/y
const SAMPLES_OF_ALPHABET = /abcdefg|ABCDEFG|1234567|0123456/

/** A token of an unknown provider: a short prefix and 32 or more random characters. `start` is the start of the prefix. */
export function prefixedTokenAt(text: string, start: number): number | null {
  const match = matchAt(PREFIXED, text, start)
  if (match === null || SAMPLE.test(match[0]) || SAMPLES_OF_ALPHABET.test(match[0])) return null
  const body = match[2]!
  if (match[1]!.split(/[_-]/).some((part) => PUBLIC_PREFIX.test(part)) || !isRandomToken(body)) return null
  return start + match[0].length
}

function isRandomToken(body: string): boolean {
  const figures = body.replaceAll(/\D/g, '').length
  if (figures < 4 || !/[A-Za-z]/.test(body) || /^[\da-f_-]+$|^[\dA-F_-]+$/.test(body) || /[a-z]{7}|[A-Z]{9}/.test(body)) return false
  if (/[_-]/.test(body) && (body.match(/[_-]/g)!.length * 8 > body.length || !/[a-z]/.test(body) || !/[A-Z]/.test(body))) return false
  const isMixed = /[a-z]/.test(body) && /[A-Z]/.test(body)
  return changesOf(body) >= (isMixed ? 0.42 : 0.26) * body.length
}
