/** A sentence that says that something which matters is absent. */
export const ABSENCE =
  /\b(?:no|0|zero|without any) (?:\w+ )?(?:active |lasting |tracked |severe |SPC |fire )*(?:alerts?\b|warnings?\b|Red Flag|watch\b|advisor(?:y|ies)\b|flash(?:es)?\b|lightning\b|storm cells?\b|echo(?:es)?\b|rain\b|snow\b|precipitation\b(?! (?:total|rate))|(?:fire |severe )?weather outlook|outlook areas|hazards?\b|mesoscale discussion)|\b[Nn]one (?:is|are|in|of)\b|\bnothing above\b|: none\b/i

/** Whether a text has a sentence of absence. */
export const statesAbsence = (text: string): boolean => ABSENCE.test(text)
