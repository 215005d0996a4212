/**
 * Large waters and small communities that the other tables lack: name, kind, state, and latitude and longitude of a point in the state's
 * part. The positions were read from USGS maps; the point of a community is its post office.
 */
export const byHand = `
Adak	town	AK	51.873	-176.634
Attu Island	island	AK	52.9	172.9
Bear Lake	lake	ID	42.07	-111.32
Bear Lake	lake	UT	41.95	-111.33
Becharof Lake	lake	AK	57.85	-156.4
Cayuga Lake	lake	NY	42.7	-76.72
Chesapeake Bay	bay	MD	38.6	-76.4
Chesapeake Bay	bay	VA	37.5	-76.1
Coeur d'Alene Lake	lake	ID	47.55	-116.8
Delaware Bay	bay	DE	39.05	-75.25
Flathead Lake	lake	MT	47.88	-114.13
Fort Peck Lake	lake	MT	47.75	-106.5
Iliamna Lake	lake	AK	59.5	-155
Kentucky Lake	lake	KY	36.7	-88.1
Lake Champlain	lake	NY	44.5	-73.37
Lake Champlain	lake	VT	44.5	-73.3
Lake Chelan	lake	WA	47.95	-120.25
Lake Cumberland	lake	KY	36.9	-85
Lake Erie	lake	MI	41.85	-83.3
Lake Erie	lake	NY	42.65	-79.3
Lake Erie	lake	OH	41.65	-82.2
Lake Erie	lake	PA	42.25	-80.2
Lake Huron	lake	MI	44.7	-82.9
Lake Lanier	lake	GA	34.25	-83.95
Lake Marion	lake	SC	33.5	-80.4
Lake Mead	lake	NV	36.1	-114.75
Lake Michigan	lake	IL	42.2	-87.6
Lake Michigan	lake	IN	41.75	-87.1
Lake Michigan	lake	MI	43.6	-86.9
Lake Michigan	lake	WI	43.6	-87.3
Lake Murray	lake	SC	34.08	-81.35
Lake Norman	lake	NC	35.55	-80.95
Lake Okeechobee	lake	FL	26.93	-80.83
Lake Ontario	lake	NY	43.4	-77.5
Lake Pend Oreille	lake	ID	48.15	-116.35
Lake St. Clair	lake	MI	42.45	-82.83
Lake Superior	lake	MI	46.9	-86.5
Lake Superior	lake	MN	47.2	-91.0
Lake Superior	lake	WI	46.85	-91.2
Lake Tahoe	lake	CA	39.09	-120.04
Lake Tahoe	lake	NV	39.1	-119.96
Lake Washington	lake	WA	47.6	-122.26
Lake Winnebago	lake	WI	44	-88.4
Lake Winnipesaukee	lake	NH	43.6	-71.34
Lake of the Woods	lake	MN	49	-94.9
Mille Lacs Lake	lake	MN	46.23	-93.65
Moosehead Lake	lake	ME	45.65	-69.65
Oneida Lake	lake	NY	43.2	-75.9
Pyramid Lake	lake	NV	40.03	-119.57
Red Lake	lake	MN	48	-95
Salton Sea	lake	CA	33.3	-115.83
Seneca Lake	lake	NY	42.65	-76.92
Utah Lake	lake	UT	40.2	-111.8
Yellowstone Lake	lake	WY	44.45	-110.36
`
