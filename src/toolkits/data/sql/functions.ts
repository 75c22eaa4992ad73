// Lists the functions, operators, types and units that a statement may use. None of them writes, waits or locks, or
// reads anything but its arguments and the clock.
export const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

export const FUNCTIONS = words(`
  abs ceil ceiling floor round truncate sign mod pow power sqrt exp ln log log2 log10 pi rand greatest least degrees radians
  sin cos tan asin acos atan atan2 cot crc32
  concat concat_ws lower lcase upper ucase length char_length character_length octet_length substring substr mid left right
  substring_index locate instr replace reverse trim ltrim rtrim lpad rpad ascii ord format field elt find_in_set strcmp
  soundex hex unhex bin oct conv char quote to_base64 from_base64 make_set bit_length bit_count inet_aton inet_ntoa
  md5 sha1 sha2 regexp_replace regexp_substr regexp_instr regexp_like
  if ifnull nullif coalesce isnull
  now sysdate curdate curtime current_date current_time current_timestamp utc_date utc_time utc_timestamp
  date time timestamp year quarter month week weekofyear yearweek day dayofmonth dayofweek dayofyear weekday hour minute second
  microsecond dayname monthname last_day date_add date_sub adddate subdate addtime subtime datediff timediff timestampdiff
  timestampadd date_format time_format str_to_date makedate maketime from_unixtime unix_timestamp from_days to_days
  sec_to_time time_to_sec to_seconds period_add period_diff convert_tz
  json_extract json_unquote json_value json_length json_contains json_keys json_type json_valid json_object json_array
  json_arrayagg json_objectagg json_search json_contains_path json_depth json_quote json_merge_patch
  count sum avg min max group_concat stddev stddev_pop stddev_samp var_pop var_samp bit_and bit_or bit_xor any_value grouping
  row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value median
`);

/** Functions that may be written without parentheses. */
export const BARE_FUNCTIONS = words("current_date current_time current_timestamp");

/** Functions that take a unit as their first argument. */
export const UNIT_FUNCTIONS = words("timestampdiff timestampadd");

export const UNITS = words(`
  microsecond second minute hour day week month quarter year day_hour day_minute day_second hour_minute hour_second
  minute_second year_month
`);

export const CAST_TYPES: ReadonlySet<string> = new Set([
  ...words("signed unsigned char date time datetime decimal double float json int integer"),
  "signed integer",
  "unsigned integer",
]);

export const COMPARISONS: ReadonlySet<string> = new Set([
  ...words("= < > <= >= <> <=> IS LIKE REGEXP"),
  ...["IS NOT", "NOT LIKE", "NOT REGEXP"],
]);
export const ARITHMETIC = words("+ - * / % DIV MOD -> ->>");
export const BITWISE = words("& | ^ << >>");
/** Character sets to which text may be converted. */
export const CHARACTER_SETS = words("utf8mb4 utf8mb3 utf8 latin1 ascii");
/** Matches the name of a collation, which begins with that of its character set. */
export const COLLATION = /^(?:utf8mb4|utf8mb3|utf8|latin1|ascii)_[a-z0-9_]{2,40}$/i;
export const LOGIC = words("AND OR");

export const SYSTEM_SCHEMAS = words("mysql information_schema performance_schema sys ndbinfo");
