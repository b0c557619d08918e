import type { APIError } from 'openai';
import { type ChatRequest, DROPPABLE, type Droppable, JSON_FORMS, type ServerLimits } from './chat-request.ts';

/**
 * What to do without after a refusal (400, 422); null where nothing of ours is at fault.
 *
 * @param isFormFixed whether the form of the answer is configured, and not to be conceded
 */
export function concession(
  limits: ServerLimits,
  request: ChatRequest,
  refusal: APIError,
  isFormFixed: boolean,
): ServerLimits | null {
  // A prompt that is too long stays so; the message often names a parameter all the same.
  if (refusal.code === 'context_length_exceeded' || /context (?:length|window|size)/i.test(refusal.message))
    return null;
  const isNamed = (name: string): boolean => parametersOf(refusal).includes(name);
  const isMentioned = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(refusal.message);
  const isSent = (name: Droppable): boolean => request[name] !== undefined;
  const asked = request.response_format !== undefined;
  const canLower = asked && !isFormFixed;
  const dropped =
    DROPPABLE.find((name) => isSent(name) && isNamed(name)) ??
    (asked && (isNamed('response_format') || isMentioned('response_format'))
      ? undefined
      : DROPPABLE.find((name) => isSent(name) && isMentioned(name)));
  if (dropped !== undefined) return { ...limits, refused: new Set([...limits.refused, dropped]) };
  // Servers say in many ways that they do not know a response format, some of them without naming it.
  return canLower ? { ...limits, form: JSON_FORMS[JSON_FORMS.indexOf(limits.form) + 1] ?? 'text' } : null;
}

/** What either was found with. */
export function mergeLimits(a: ServerLimits, b: ServerLimits): ServerLimits {
  const form = JSON_FORMS[Math.max(JSON_FORMS.indexOf(a.form), JSON_FORMS.indexOf(b.form))];
  return { form, refused: new Set([...a.refused, ...b.refused]) };
}

/** The names in the path of the parameter that an error is about: `response_format.json_schema` is about both. */
function parametersOf({ param }: APIError): string[] {
  return typeof param === 'string' ? param.split(/[.[\]]+/) : [];
}
