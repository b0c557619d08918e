import type { SourceDocument } from '../../src/text/index.ts';

/** Six short texts about a city's traffic plan that agree, differ and look different. */
export const CITY: readonly SourceDocument[] = [
  {
    id: 'council',
    title: 'Council minutes',
    publishedAt: '2026-03-02',
    text: [
      '# Minutes of 2 March',
      '',
      'The council approved a congestion charge of 4 euros for cars in the old town. The charge starts on 1 September.',
      'Residents of the old town pay half the charge. Revenue from the charge goes to the tram network.',
      '',
      'Who will check the number plates? The police asked for twelve new cameras.',
    ].join('\n'),
  },
  {
    id: 'shops',
    title: 'Letter of the shopkeepers',
    publishedAt: '2026-03-05',
    text: [
      'Shopkeepers fear that the congestion charge will drive customers to the malls outside the city.',
      'Sales in the old town fell by 8 percent when the main bridge was closed last year.',
      'We ask the council to exempt deliveries before ten in the morning.',
    ].join(' '),
  },
  {
    id: 'university',
    title: 'Study of the transport institute',
    publishedAt: '2026-01-20',
    text: [
      'A congestion charge of 4 euros would cut car traffic in the old town by 15 percent, the study finds.',
      'Air pollution near schools would fall by 9 percent, according to the model of the institute.',
      'Dr. Weber says that "charges work best where trams run every five minutes".',
      'The study expects 2.5 million euros of revenue a year.',
    ].join(' '),
  },
  {
    id: 'meeting',
    title: 'Public meeting',
    publishedAt: '2026-03-11',
    text: [
      'MAYOR: The congestion charge gives the city the money for a second tram line.',
      'RESIDENT: My mother cannot walk to the tram stop, and the bus comes only once an hour.',
      'MAYOR: Buses will run every ten minutes from autumn on, also on Sundays.',
      'SHOPKEEPER: Sales in the old town will fall as they did when the bridge was closed.',
    ].join('\n'),
  },
  {
    id: 'tram',
    title: 'Tram company',
    text: [
      'Plans for the tram network:',
      '',
      '- The second tram line will connect the station with the hospital in 2029.',
      '- Revenue from the charge goes to the tram network.',
      '- Forty new drivers are needed before the line can open.',
      '',
      'Construction closes the station square for eighteen months.',
    ].join('\n'),
  },
  {
    id: 'garden',
    title: 'Garden column',
    publishedAt: '2025-11-30',
    text: 'Tomatoes need warm soil, so that seedlings stay inside until the middle of May. Slugs avoid copper rings around the bed.',
  },
];

export const CITY_INTENT = 'What will the congestion charge do to sales in the old town?';
