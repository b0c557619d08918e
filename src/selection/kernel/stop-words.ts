/** English words that say how something is asked, not what about. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those it its they them their there here he she him her his hers we our us you your i me my mine
  and or but nor so if then than as of to in on at by for with from about into over under between during after before
  is are was were be been being am do does did done has have had having can could will would shall should may might must
  not no yes any some all each both more most much many very just also only too
  what who whom whose which when where why how whether
  say says said saying tell tells told think thinks thought mention mentions mentioned discuss discusses discussed discussing
  discussion describe described explain explained summarize summarise summarized summary give given according regarding
  people person group team meeting because matter matters important happen happens happened`.split(/\s+/),
);
