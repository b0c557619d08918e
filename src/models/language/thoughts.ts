/** What some models think aloud before they answer; thoughts that do not end are all of it. */
export const THOUGHTS = /^\s*<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/i;
