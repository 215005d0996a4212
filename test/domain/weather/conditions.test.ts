import { describe, expect, test } from 'vitest'
import { type SkyState, wordsOf } from '../../../ingest/domain/weather/conditions.ts'
import {
  FREEZING_RAIN,
  ICE_PELLETS,
  NONE,
  RAIN,
  SNOW,
  typeOfAir,
  typeOfFlags,
  typeOfProbabilities,
  UNKNOWN,
  WINTRY_MIX,
} from '../../../ingest/domain/weather/precip-type.ts'

const calm: SkyState = {
  cloudCover: 0,
  precipProbability: 0,
  precipAmount: 0,
  precipType: NONE,
  thunder: 0,
  cape: 0,
  visibility: 16000,
  humidity: 50,
  smoke: 0,
  windSpeed: 3,
  day: true,
}
const describeSky = (over: Partial<SkyState>) => {
  const words = wordsOf({ ...calm, ...over })
  return words && `${words.conditions} | ${words.icon}`
}

describe('the sky alone', () => {
  test.each([
    [{ cloudCover: 0 }, 'Sunny | clear-day'],
    [{ cloudCover: 0, day: false }, 'Clear | clear-night'],
    [{ cloudCover: 20 }, 'Mostly Sunny | clear-day'],
    [{ cloudCover: 50, day: false }, 'Partly Cloudy | partly-cloudy-night'],
    [{ cloudCover: 87 }, 'Mostly Cloudy | mostly-cloudy-day'],
    [{ cloudCover: 88, day: false }, 'Cloudy | cloudy'],
    [{ cloudCover: 100, visibility: 800 }, 'Fog | fog'],
    [{ cloudCover: 100, visibility: 300 }, 'Dense Fog | fog'],
    [{ cloudCover: 10, visibility: 800, windSpeed: 12, humidity: 95 }, 'Mostly Sunny | clear-day'],
    [{ smoke: 1e-7, visibility: 9000 }, 'Smoke | haze-day'],
    [{ visibility: 6000, humidity: 40, day: false }, 'Haze | haze-night'],
    [{ visibility: 6000, humidity: 95 }, 'Sunny | clear-day'],
    [{ cloudCover: Number.NaN }, undefined],
  ])('%o', (over, expected) => {
    expect(describeSky(over)).toBe(expected)
  })
})

describe('precipitation comes before clouds and fog', () => {
  const grey = { cloudCover: 100 }
  test.each([
    [{ ...grey, precipType: RAIN, precipProbability: 20, precipAmount: 0.1 }, 'Slight Chance Rain | rain'],
    [{ ...grey, precipType: RAIN, precipProbability: 40, precipAmount: 0.1 }, 'Chance Rain | rain'],
    [{ ...grey, precipType: RAIN, precipProbability: 60, precipAmount: 1 }, 'Rain Likely | rain'],
    [{ ...grey, precipType: RAIN, precipProbability: 90, precipAmount: 1 }, 'Light Rain | rain'],
    [{ ...grey, precipType: RAIN, precipProbability: 90, precipAmount: 9 }, 'Heavy Rain | rain'],
    [{ ...grey, precipType: RAIN, precipProbability: 40, precipAmount: 9, observed: true }, 'Heavy Rain | rain'],
    [
      { cloudCover: 60, precipType: RAIN, precipProbability: 80, precipAmount: 4, day: false },
      'Rain Showers | showers-night',
    ],
    [{ ...grey, precipType: SNOW, precipProbability: 90, precipAmount: 3 }, 'Heavy Snow | snow'],
    [{ cloudCover: 60, precipType: SNOW, precipProbability: 30 }, 'Chance Snow Showers | snow-showers-day'],
    [{ ...grey, precipType: FREEZING_RAIN, precipProbability: 90, precipAmount: 1 }, 'Light Freezing Rain | sleet'],
    [{ ...grey, precipType: ICE_PELLETS, precipProbability: 60 }, 'Sleet Likely | sleet'],
    [{ ...grey, precipType: WINTRY_MIX, precipProbability: 90 }, 'Wintry Mix | rain-snow'],
    [
      { cloudCover: 50, precipType: WINTRY_MIX, precipProbability: 90 },
      'Rain and Snow Showers | rain-snow-showers-day',
    ],
    [{ ...grey, precipType: RAIN, precipProbability: 90, thunder: 80 }, 'Thunderstorms | thunderstorms'],
    [{ ...grey, precipType: RAIN, precipProbability: 90, thunder: 60 }, 'Rain, Thunderstorms Likely | thunder-rain'],
    [
      { ...grey, precipType: RAIN, precipProbability: 40, thunder: 20 },
      'Chance Rain, Slight Chance Thunderstorms | thunder-rain',
    ],
    [{ ...grey, precipType: RAIN, precipProbability: 40, thunder: 30 }, 'Chance Rain and Thunderstorms | thunder-rain'],
    [
      { cloudCover: 60, precipType: RAIN, precipProbability: 40, thunder: 30 },
      'Chance Showers and Thunderstorms | thunder-showers-day',
    ],
    [
      { cloudCover: 60, precipType: RAIN, precipProbability: 60, thunder: 30, day: false },
      'Rain Showers Likely, Chance Thunderstorms | thunder-showers-night',
    ],
    [
      { ...grey, precipType: RAIN, precipProbability: 90, precipAmount: 9, thunder: 20 },
      'Heavy Rain, Slight Chance Thunderstorms | thunder-rain',
    ],
    [
      { ...grey, precipType: SNOW, precipProbability: 90, precipAmount: 2, thunder: 20 },
      'Snow, Slight Chance Thunder | snow',
    ],
    [{ ...grey, precipType: SNOW, precipProbability: 40, thunder: 60 }, 'Chance Snow and Thunder | snow'],
    [{ ...grey, precipType: SNOW, precipProbability: 40, thunder: 20 }, 'Chance Snow, Slight Chance Thunder | snow'],
    [{ ...grey, precipType: SNOW, precipProbability: 40, thunder: 14 }, 'Chance Snow | snow'],
    [
      { cloudCover: 60, precipType: WINTRY_MIX, precipProbability: 60, thunder: 60, day: false },
      'Rain and Snow Showers and Thunder Likely | rain-snow-showers-night',
    ],
    [{ ...grey, precipType: FREEZING_RAIN, observed: true, thunder: 100 }, 'Freezing Rain and Thunder | sleet'],
    [{ ...grey, precipType: RAIN, precipProbability: 90, visibility: 500, precipAmount: 3 }, 'Rain | rain'],
  ])('%o', (over, expected) => {
    expect(describeSky(over)).toBe(expected)
  })
})

describe('the type of precipitation', () => {
  test.each([
    [[80, 10, 5, 5], RAIN],
    [[5, 90, 0, 5], SNOW],
    [[40, 40, 10, 10], WINTRY_MIX],
    [[0, 40, 0, 60], WINTRY_MIX],
    [[50, 0, 50, 0], FREEZING_RAIN],
    [[10, 10, 20, 60], ICE_PELLETS],
    [[0, 0, 0, 0], UNKNOWN],
    [[Number.NaN, Number.NaN, Number.NaN, Number.NaN], UNKNOWN],
  ])('probabilities %o', ([rain, snow, freezing, pellets], type) => {
    expect(typeOfProbabilities(rain!, snow!, freezing!, pellets!)).toBe(type)
  })
  test.each([
    [[1, 0, 0, 0], RAIN],
    [[0, 1, 0, 0], SNOW],
    [[1, 1, 0, 0], WINTRY_MIX],
    [[1, 0, 1, 0], FREEZING_RAIN],
    [[0, 0, 0, 1], ICE_PELLETS],
    [[1, 0, 0, 1], WINTRY_MIX],
    [[0, 0, 0, 0], UNKNOWN],
  ])('flags %o', ([rain, snow, freezing, pellets], type) => {
    expect(typeOfFlags(rain!, snow!, freezing!, pellets!)).toBe(type)
  })
  test('decides by the air alone: rain if warm, snow if cold, and snow in dry air at 4 °C', () => {
    expect(typeOfAir(290, 70)).toBe(RAIN)
    expect(typeOfAir(268, 70)).toBe(SNOW)
    expect(typeOfAir(277, 30)).toBe(SNOW)
    expect(typeOfAir(Number.NaN, 30)).toBe(UNKNOWN)
  })
})
