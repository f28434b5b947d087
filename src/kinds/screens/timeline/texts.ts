/** What a timeline says of itself, in the languages. */
import { spoken } from '../../../ui/speak.ts'

export const sentences = spoken(
  'timeline',
  {
    state: 'State',
    without: 'Without {field}',
    closed: 'Not open to you',
    other: 'Other',
    besides: 'at the same time as {others}',
    overlaps: { one: '{count} overlap', other: '{count} overlaps' },
    summary: '{entries} {entries|entry|entries} in {lanes} {lanes|lane|lanes}',
    load: '{percent} taken',
    tray: 'Without a time',
    cut: {
      one: 'Only the first one is shown: look for fewer, or at a shorter time.',
      other: 'Only the first {count} are shown: look for fewer, or at a shorter time.',
    },
    lanesCut: 'Only lanes with something in them are shown: there are too many.',
  },
  {
    state: 'Zustand',
    without: 'Ohne {field}',
    closed: 'Für Sie nicht sichtbar',
    other: 'Übrige',
    besides: 'gleichzeitig mit {others}',
    overlaps: { one: '{count} Überschneidung', other: '{count} Überschneidungen' },
    summary: '{entries} {entries|Eintrag|Einträge} in {lanes} {lanes|Zeile|Zeilen}',
    load: '{percent} belegt',
    tray: 'Ohne Zeit',
    cut: {
      one: 'Nur der erste Eintrag ist zu sehen: Suchen Sie nach weniger, oder wählen Sie eine kürzere Zeit.',
      other: 'Nur die ersten {count} sind zu sehen: Suchen Sie nach weniger, oder wählen Sie eine kürzere Zeit.',
    },
    lanesCut: 'Nur belegte Zeilen sind zu sehen: Es gibt zu viele.',
  },
)
