import type { Question } from './question.ts'
import { alertQuestions } from './questions/alerts.ts'
import { backgroundQuestions } from './questions/background.ts'
import { chanceQuestions } from './questions/chances.ts'
import { forecastQuestions } from './questions/forecast.ts'
import { placeQuestions } from './questions/places.ts'
import { presentQuestions } from './questions/present.ts'

/** At least 400 questions about a moment of the simulated weather, those of failed sources last. */
export function questionsAt(now: number): Question[] {
  const order = ['ordinary', 'alerts away', 'outlooks away', 'old data']
  return [
    // Radar and flashes of one read are old after a few minutes.
    ...presentQuestions(now),
    ...alertQuestions(now),
    ...chanceQuestions(now),
    ...forecastQuestions(now),
    ...placeQuestions(),
    ...backgroundQuestions(now),
  ].toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
}
