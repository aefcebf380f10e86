/** What the sentences of refusals mean: one table of patterns by meaning, in the words of many vendors. Data only. */

const any = (...patterns: RegExp[]) => new RegExp(patterns.map((pattern) => pattern.source).join("|"), "i");

/** The account has no money or plan left: waiting does not cure it. */
export const QUOTA = any(
  /insufficient[ _-]?((account|user|token)[ _-]?)?(quota|balance|credits?|funds?)/,
  /(balance|credits?|funds?|quota) (is |are |has been |have been )?(too low|not enough|insufficient|exhausted|depleted|used up)/,
  /(not enough|out of|no (more|remaining)|add|purchase|buy|low on|used all( available)?) (more )?(credits?|balance|funds?)/,
  /(exceeded|exhausted|reached|used up|over|out of)\b.{0,40}\b(quota|credits?|spend(ing)?|budget|allowance)\b/,
  /(quota|budget|spend(ing)? limit|allowance).{0,40}(exceeded|exhausted|reached|used up|depleted)/,
  /free (tier|trial|quota|plan).{0,40}(exhausted|exceeded|expired|ended|over\b|used up)|trial.{0,20}(expired|ended|is over)/,
  /usage[ _-]?limit|billing|payment[ _-]required|recharge|top[ -]?up|arrear|overdue|good standing/,
  /余额|欠费|充值|额度(不足|已|用)|配额(不足|已|用)/,
);

/** Throughput: so much in a span of time. */
export const RATE = any(
  /rate[ _-]?limit|too many requests|throttl|slow down|per[ _-]?(second|minute|hour|day)\b|\b[rt]p[msd]\b|\bqps\b/,
  /concurren(t|cy).{0,30}(limit|requests)|请求(过于)?频繁|限流|并发|速率/,
);
export const PER_TIME = /per[ _-]?(second|minute|hour|day)|\b[rt]pm\b|\bqps\b|throttl/i;

export const OVERLOADED =
  /overload|(at|over|no|out of|insufficient) capacity|capacity (exceeded|reached)|\bbusy\b|temporarily unavailable|loading|warming up|starting up|queue|unavailable|繁忙|过载|访问量过大/i;

export const AUTH = any(
  /(invalid|incorrect|missing|expired|wrong|no|revoked|bad)[ _-](api|access|auth|authentication)[ _-]?(key|token|credentials?)/,
  /api[ _-]?key.{0,20}(not valid|invalid|incorrect|expired|missing|required|not found)/,
  /authentication[ _](failed|error|required)|unauthori[sz]ed|unauthenticated|token.{0,20}expired/,
);

/** The path is not there, or this API is not: said in words whatever the status. */
export const NO_ENDPOINT = any(
  /invalid url|unexpected endpoint|(unknown|unsupported|invalid|no such|non-?existent) (url|endpoint|route|path|api)\b/,
  /(cannot|can't) (post|get)\b|no route|route (was )?not found|page not found|no matching (route|operation)/,
  /api[ -]version[^,]{0,30}not supported|unsupported api[ -]version|not supported.{0,20}api[ -]version|only for api-version/,
  /(responses|chat.?completions?)( ?api| endpoint)?.{0,40}(not (supported|implemented|available|enabled)|unsupported)/,
  /not (supported|implemented|available).{0,40}(responses|chat\/completions|this endpoint)|only supported in v1\//,
  /operation.{0,60}(does not work|not supported|unsupported)|^not implemented/,
);

export const NO_MODEL = any(
  /model[_ -]not[_ -](found|exist|available|supported)|(cannot|unable to) access model|deployment ?not ?found|(unknown|invalid|no such|nonexistent) (model|deployment)\b/,
  /(requested|specified|provided|given) model( identifier)?.{0,20}(not supported|unsupported|not valid|invalid|unknown)/,
  /\b(models?|deployment)\b.{0,120}(does not exist|not exist|doesn't exist|not found|is not available|not a valid|could not be found)/,
  /is not a valid model|no endpoints? found for|model.{0,60}try pulling|no models? (is )?(loaded|available)|no available channel/,
  /^model: .*not_found|模型.{0,40}(不存在|未找到|无可用)/,
);

/** The endpoint (or model) cannot do that at all. */
export const NO_TOOLS = any(
  /(tools?|functions?)([ _-](use|call(s|ing)?))?\b.{0,50}(not supported|unsupported|not available|not enabled)/,
  /(tools?|functions?)([ _-](use|call(s|ing)?|choice))?\b.{0,50}requires? --/,
  /(does not|doesn't|do not|don't|cannot|not) support.{0,40}\b(tools?|functions?)\b|support (tool|function)[ _-](use|call)/,
);
export const NO_IMAGES = any(
  /(image|vision|multi-?modal|visual)(s|_url)?.{0,60}(not supported|unsupported|not (allowed|accepted|enabled|available)|cannot)/,
  /(does not|doesn't|do not|don't|cannot|not) (support|accept|process|read|have|allow).{0,40}(image|vision|multi-?modal)/,
  /unknown variant.{0,4}(image_url|input_image)|only.{0,12}text.{0,30}(supported|allowed|accepted)|support image input/,
  /not an? (multi-?modal|vision|visual)\b|image(_url)?.{0,30}only supported|image_url.{0,80}(does not match|expected tags?)|图(片|像).{0,10}不支持|不支持图/,
);

/** The chat template or the order of messages: no retry cures it, whatever the status says. */
export const TEMPLATE =
  /jinja|chat template|template (error|exception|rendering)|roles? must alternate|alternat\w+ (between )?(user|roles)/i;
export const HISTORY = any(
  /system (message|prompt|role).{0,40}(beginning|first|start|one|multiple)|(first|last) (message|role).{0,40}(must|should|role|user)/,
  /tool[_ -]?call[_ -]?ids?\b|tool_?use_?ids?\b|tool_use.{0,60}tool_result|role ['"`]?tool['"`]?|unpaired tool|unexpected role/,
  /tool_calls?['"`]?.{0,60}(follow|preced|response|respond)|tool (message|result|output|response)s?.{0,60}(follow|preced|match|without|must)/,
  /no tool (output|call|result) found|function call output|duplicate (tool|item)|function (call|response)s? (turn|parts?)|number of function/,
  /assistant message.{0,60}(content|tool_calls|empty)|content\b.{0,20}(null|none|empty)|(null|empty).{0,30}content/,
  /['"`]?content['"`]?.{0,60}(must be|expected|field|should|cannot be|non-?empty|required)|must start with (a )?user/,
  /messages?\[?\d*\]?.{0,60}(invalid type|expected (a )?(string|array|object)|must be a string)/,
  /tool_calls?\W{0,2}\d*\W{0,2}id\b|response\W{0,2}name\b.{0,20}(empty|missing|required)|function\.arguments|arguments.{0,40}(json|string|object|dict)|expected last role/,
  /reasoning_content|reasoning_details|thought_signature|thinking block|signature/,
);

/** Server-kept state of the Responses API. */
export const STATE = any(
  /previous[_ ]response|item.{0,40}not found|not persisted|without its required|required following item|encrypted[_ ]content(?!.{0,20}(not supported|unsupported))|item_reference/,
  /input\[?\d*\]?.{0,40}(missing|required).{0,30}(summary|encrypted|id\b)/,
);

export const FILTER =
  /content[_ -]?(filter|policy|management|moderation)|inappropriate|sensitive (content|information)|new_sensitive|content exists risk|high[ -]risk|flagged|safety (system|policy|filter)|moderation|data_?inspection|violat\w*.{0,40}(polic|terms|guideline)|敏感|违规/i;

/** Of a refused access: what was said is at fault, not who says it. */
export const MODERATION =
  /moderation|flagged|content[ _-]?(filter|policy)|usage guidelines|safety (system|policy|filter)/i;

/** The model's own output was not taken by the server's parser: sample again. */
export const REJECTED = any(
  /tool_use_failed|failed_generation|malformed[_ ]function[_ ]call|failed to (call|parse|generate|validate).{0,30}(function|tool)/,
  /(tool|function)[ _]call.{0,40}(could not be parsed|parse (error|failed)|validation failed|failed validation|was malformed|not valid json)/,
);

/** Bytes, not tokens. */
export const BYTES = any(
  /(request|payload|body|entity|content|message|upload)s? (body |entity |payload |content )?(is |was )?too (large|big)/,
  /(request|payload|body|entity|message)s?[ _](body |total )?size.{0,40}(exceed|limit|larger|over|too|maximum)/,
  /(request|payload)[_ ]too[_ ]large|exceeds? the maximum size|string too long|string_above_max_length/,
  /(exceed|larger than|over|maximum|limit).{0,40}\d\s?([kmg]i?b|bytes)\b/,
);

/** The prompt does not fit the window, in any vendor's words. */
export const OVERFLOW = any(
  /context[_ ]length[_ ]exceeded|exceed[_ ]context|context[_ ]window[_ ]exceeded|max[_ ]prompt[_ ]tokens|model_context_window/,
  /(maximum|max|available|allowed|supported) (context|prompt|input|sequence|model)[ _](length|size|window|tokens?)/,
  /(exceed|larger|greater|longer|over|beyond|out of|more than|too (long|large|big)|overflow|fill|full|run out).{0,60}context( |_|-)?(length|size|window|limit)?/,
  /context( |_|-)?(length|size|window|limit).{0,40}(exceed|overflow|too|full|reached|only|limit|larger|is \d)/,
  /(prompt|input|conversation|messages?|sequence|text|requests?)\b.{0,80}(too long|too large|exceed\w*|longer than|greater than|larger than|over the|surpass\w*).{0,80}(tokens?|context|length|limit|maximum|allowed)/,
  /(input|prompt|conversation|sequence)s?( is| was)? too (long|large|big)|too many (input |prompt )?tokens/,
  /only (handle|accept|support|process|take)s?.{0,20}\d tokens|(at most|up to|no more than|limit(ed)? to|maximum of|(less|fewer) than) \d[\d,]* (input |prompt )?tokens/,
  /tokens? (count|limit|length)?.{0,40}(exceed|over\b|greater|larger|too (many|long|large))|tokens.{0,40}must be (<=|less|at most|no more)/,
  /(exceed\w*|over|above|beyond).{0,40}(token|context|input|prompt|sequence)[ _]?(limit|length|window|count|size|maximum)/,
  /reduce.{0,30}(length|size|number).{0,30}(messages?|prompt|input|either|context|conversation|tokens)|range of input length|shorten.{0,20}(prompt|input|conversation)/,
  /(not|n't) fit.{0,30}(context|window)/,
  /(überschreite|übersteig|zu (lang|groß)).{0,40}(kontext|token)|(kontext|token|eingabe).{0,40}(überschritten|überstiegen|überschreite|zu (lang|groß))/,
  /(dépass|trop long).{0,60}(contexte|jetons|tokens|longueur)|(contexte|longueur).{0,40}dépass/,
  /(excede|supera|ultrapassa|demasiad\w+ larg|muito long).{0,60}(contexto|longitud|comprimento|tokens)/,
  /(превы[шс]\S*|слишком длин\S*).{0,60}(контекст|длин|токен)|(контекст|длина).{0,40}превы[шс]/,
  /(コンテキスト|トークン|入力).{0,30}(超え|超過|長す)|(컨텍스트|토큰|입력).{0,30}(초과|넘|너무 길)/,
  /(上下文|输入|提示词?|消息|请求|token|prompt).{0,24}(超过|超出|过长|超长|超限|太长)|(超过|超出).{0,24}(上下文|长度|token|窗口)/,
);

/** An output budget that the model does not take at all (not: prompt and output together). */
export const OUTPUT_TOO_LARGE =
  /max_?(completion_|output_|new_)?tokens\b.{0,80}(too large|at most|less than|must be|exceed|maximum|between|range)|supports at most \d+ (completion|output)/i;

export const SCHEMA = any(
  /(invalid|unsupported|bad|malformed).{0,30}(json )?schema|schema.{0,60}(invalid|not valid|unsupported|must|error)|invalid_function_parameters/,
  /tools?(\[\d+\]|\.\d+)?\.?(function)?\.parameters|function_?declarations?/,
  /(function|tool) (parameters|schema|definition)s?.{0,40}(invalid|must|not|required)/,
);

/** A field that the endpoint does not know at all. */
export const EXTRA_FIELD = any(
  /extra (inputs?|fields?)|extra_forbidden|unsupported_parameter|unknown_parameter|unknown name|cannot find field/,
  /(unknown|unrecognized|unexpected|unsupported) (request )?(parameter|field|argument|property|key|keyword)/,
  /propert(y|ies).{0,40}(unsupported|not (supported|allowed))|additional ?properties/,
);

/** The endpoint has no place for a system prompt. */
export const NO_SYSTEM =
  /(system|developer) (role|messages?|prompts?|instructions?).{0,40}(not (supported|enabled|allowed)|unsupported)|(not|n't) support.{0,20}system|only user.{0,8}assistant roles/i;

export const ROLE = /unknown variant|incorrect role|(invalid|unsupported|unknown) role/i;

export const PARAMETER = any(
  /invalid (parameter|field|argument|value|option)|unsupported|not (permitted|supported|allowed|recognized)/,
  /must (not )?be|too short|cannot determine type|only supported (value|if)/,
);
