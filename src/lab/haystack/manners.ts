/** Who prints an article. */
export const OUTLETS = [
  'the front page of a national daily, sober and dense',
  'the business pages of a financial newspaper, dry and exact',
  'a local paper that knows the people it writes about',
  'a news agency, the most important first, in short sentences',
  'a weekly magazine that tells a story and explains it',
  'a tabloid, lively and blunt',
  'a trade journal for people of the field',
  'the website of a public broadcaster, plain and even-handed',
  'a newsletter of an analyst, with a view of its own',
  'the science pages of a quality paper, patient with readers',
  'an investigative desk, with what documents and sources say',
  'a regional radio station, written to be read aloud',
] as const;

/** What an article opens with. */
export const OPENINGS = [
  'a scene',
  'the latest news',
  'what somebody says',
  'a question',
  'a look back',
  'what surprises most',
  'a person and what concerns them',
] as const;

/** Where people speak. */
export const SETTINGS = [
  'an episode of a podcast',
  'a debate on the radio',
  'a meeting of a team at work',
  'a talk over lunch between colleagues',
  'a hearing of a committee',
  'an interview for a documentary',
  'a seminar at a university',
  'a panel before an audience',
  'a call between a client and advisers',
  'an evening among old friends',
] as const;

export const SPEAKERS = [
  ...['Amara', 'Bjorn', 'Chiara', 'Dmitri', 'Elif', 'Farid', 'Greta', 'Hana', 'Ivan', 'Jun', 'Katya', 'Luis'],
  ...['Mei', 'Nils', 'Oksana', 'Priya', 'Quentin', 'Rosa', 'Samuel', 'Tove', 'Umar', 'Vera', 'Wanda', 'Yusuf'],
] as const;
