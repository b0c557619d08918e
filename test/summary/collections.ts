/** Three collections in running text: several reports of one matter each, some of which say the same, some nearly, some otherwise. */
interface Collection {
  readonly name: string;
  readonly documents: readonly { readonly id: string; readonly title: string; readonly text: string }[];
}

export const COLLECTIONS: readonly Collection[] = [
  {
    name: 'bridge',
    documents: [
      {
        id: 'b1',
        title: 'Harbour Gazette, 4 March 2025',
        text: `The Larkmoor bridge was closed to all traffic on Monday evening after an inspector found a crack in a main cable. The crack is 40 centimetres long. Some 18,000 vehicles use the bridge every day. The council expects the closure to last at least six weeks. Drivers have to take the detour through Penhallow, which adds about 25 minutes to the journey. Mayor Irene Castell said that safety came before convenience. The last full inspection took place in 2019. Nobody was hurt. Ambulances are allowed to use the ferry without paying.`,
      },
      {
        id: 'b2',
        title: 'Council statement, 5 March 2025',
        text: `Larkmoor bridge has been closed to all traffic since Monday evening. During a routine check, an inspector discovered a crack in one of the main cables. The bridge carries around 18,000 vehicles a day. We expect it to remain closed for at least six weeks. The detour through Penhallow adds about 40 minutes to the journey. The council will pay for a free ferry for pedestrians and cyclists. Repairs are estimated at 2.4 million pounds. The bridge was last inspected in full in 2019. There were no injuries.`,
      },
      {
        id: 'b3',
        title: 'Larkmoor Weekly, 7 March 2025',
        text: `Shopkeepers on the north bank say that sales have fallen by a third since the bridge was closed. The closure may last until the summer, an engineer told this newspaper. The repair will cost an estimated 2.4 million pounds, according to the council. The council does not expect the bridge to reopen before May. A free ferry for pedestrians and cyclists runs every 20 minutes. The ferry carries up to 60 people. Schools on the north bank start half an hour later until further notice. Mayor Irene Castell rejected calls for her resignation.`,
      },
      {
        id: 'b4',
        title: 'Engineers Monthly, April 2025',
        text: `A crack of 40 centimetres in a main cable led to the closure of the Larkmoor bridge in March. The cable dates from 1962, when the bridge was built. Two further cracks were found in April. Repairs will cost about 3.1 million pounds. The last full inspection was in 2017, two years earlier than the council had stated. Steel of that period becomes brittle in the cold. The bridge carried about 18,000 vehicles a day. Traffic on the detour through Penhallow has doubled.`,
      },
      {
        id: 'b5',
        title: 'Harbour Gazette, 30 April 2025',
        text: `The Larkmoor bridge will reopen on 12 May, the council said on Wednesday. At first only cars and buses may use it; lorries have to wait until July. The ferry for pedestrians and cyclists is no longer free. Sales in the shops on the north bank have fallen by 15 percent since the closure. Repairs have cost 3.1 million pounds so far. Two more cracks were discovered in April. Mayor Irene Castell has resigned. From now on the cables will be inspected every year.`,
      },
      {
        id: 'b6',
        title: 'Letters to the editor',
        text: `The ferry does not run every 20 minutes, as the council claims: I waited for an hour on Tuesday. My journey to work takes 40 minutes longer because of the detour through Penhallow. The bridge should have been inspected every year. I remember when the bridge was opened in 1962. The ferry is packed in the morning. No one was injured, and for that we should be thankful. Schools on the north bank now begin half an hour later.`,
      },
    ],
  },
  {
    name: 'kettle',
    documents: [
      {
        id: 'k1',
        title: 'Maker: Aurel 3 data sheet',
        text: `The Aurel 3 boils one litre of water in two minutes and ten seconds. It holds 1.7 litres. The kettle switches itself off when it is lifted. The body is made of stainless steel and does not get hot outside. The guarantee lasts five years. The Aurel 3 weighs 1.2 kilograms. The filter can be washed in the dishwasher. It uses 2,200 watts.`,
      },
      {
        id: 'k2',
        title: 'Test lab, June 2025',
        text: `In our test the Aurel 3 took two minutes and fifty seconds to boil one litre of water. The kettle holds 1.7 litres. After boiling, the outside of the kettle reached 58 degrees. It turns itself off as soon as it is lifted. With 71 decibels it is one of the louder kettles. The lid of one of our three kettles broke after 400 openings. The guarantee lasts five years. It draws 2,200 watts.`,
      },
      {
        id: 'k3',
        title: 'Buyers write',
        text: `The outside gets so hot that I burnt my hand. I have had mine for a year and it still looks new. The lid broke after three months. The kettle is loud, but it boils quickly. The maker replaced it within a week without any questions. It turns off by itself when you lift it. The guarantee is only two years in our country. The filter cannot be washed in the dishwasher, it melted.`,
      },
      {
        id: 'k4',
        title: 'Home magazine, August 2025',
        text: `The Aurel 3 is the best kettle under 60 euros. A litre of water boils in two minutes and ten seconds. The steel body does not get hot on the outside. Its lid feels flimsy. The filter is dishwasher-safe. The guarantee covers five years. The predecessor, the Aurel 2, held 1.5 litres. It costs 54 euros. The Aurel 3 is quieter than the Aurel 2.`,
      },
      {
        id: 'k5',
        title: 'Recall notice, October 2025',
        text: `The maker is recalling 12,000 Aurel 3 kettles that were sold between March and June 2025. The lid can break when hot and water may spill. Owners should stop using the kettle at once. The price of 54 euros will be refunded. Four people have been scalded. The Aurel 2 is not affected. Owners can also ask for a new lid free of charge.`,
      },
      {
        id: 'k6',
        title: 'Newspaper, October 2025',
        text: `About 12,000 Aurel 3 kettles are being recalled because their lids can break. Five people were scalded. The kettles were sold between March and June 2025. The maker advises owners to stop using the kettle immediately. Customers get the price of 54 euros back. The Aurel 2 is affected as well. The company made a profit of 12 million euros last year.`,
      },
    ],
  },
  {
    name: 'leave',
    documents: [
      {
        id: 'p1',
        title: 'Travel Policy 2024',
        text: `Employees may work from abroad for up to 20 days a year. Requests must be sent to the line manager at least four weeks in advance. Trains must be used for journeys of less than five hours. The daily allowance for meals is 32 euros. Receipts have to be handed in within 30 days. Business class is not allowed on flights of under nine hours. Hotels may cost up to 120 euros a night. Taxis are reimbursed only after 10 p.m.`,
      },
      {
        id: 'p2',
        title: 'Travel Handbook 2026',
        text: `Employees may work from abroad for up to 30 days a year. A request must reach the line manager at least four weeks beforehand. For journeys of less than five hours the train must be used. The daily allowance for meals is 38 euros. All receipts have to be handed in within 30 days of the journey. Business class is not allowed on flights of under six hours. Hotels may cost up to 120 euros a night, in capital cities up to 160 euros. Taxis are no longer reimbursed.`,
      },
      {
        id: 'p3',
        title: 'Questions and answers, 2024',
        text: `How long may I work from abroad? Up to 20 days per year. You have to ask your line manager four weeks ahead. Do I have to take the train? Yes, if the journey takes less than five hours. What is the meal allowance? It is 32 euros per day. Can I bring my family? Yes, but at your own expense. Receipts must be submitted within 30 days. We pay for taxis only after 10 p.m.`,
      },
      {
        id: 'p4',
        title: 'Works council newsletter, January 2026',
        text: `Since 1 January employees may work from abroad for 30 days a year instead of 20. The works council had asked for 40 days. The allowance for meals rises from 32 to 38 euros a day. Taxi fares will not be reimbursed any more. The new rules apply to part-time staff too. Travel time still does not count as working time. In 2025, 214 employees worked from abroad. Most of them went to Spain.`,
      },
      {
        id: 'p5',
        title: 'Note from finance, March 2026',
        text: `One claim in five is rejected because receipts come too late. Receipts must arrive within 30 days. Spending on hotels rose by 9 percent in 2025. Spending on flights fell by 4 percent in 2025. Part-time staff are covered by the new rules as well. Travel time does not count as working time. Employees spent 3,100 nights in hotels. The meal allowance is 38 euros a day.`,
      },
      {
        id: 'p6',
        title: 'Audit report, June 2026',
        text: `Hotel spending went up by 9 percent in 2025. Spending on flights fell by 1.5 percent in 2025. We checked 400 claims, of which 61 had no receipt. Travel time counts as working time if the employee is driving. Some managers approve requests on the same day. The rule on trains is widely ignored. In 2025, 214 employees worked from another country. A quarter of all claims were late.`,
      },
    ],
  },
];
