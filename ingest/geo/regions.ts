/**
 * Regions that people name instead of a city: name and other names, postal codes of their states, and their large cities. The states of the
 * large regions are those of the Census Bureau's regions and divisions. Other regions have their customary states.
 */
export const regions = `
the United States;USA;US;U.S.A.;U.S.;United States of America;America;the lower 48;contiguous United States;continental United States;CONUS;nationwide;the country		New York City, NY; Chicago, IL; Los Angeles, CA
North America		New York City, NY; Chicago, IL; Los Angeles, CA
New England	CT ME MA NH RI VT	Boston, MA; Providence, RI; Portland, ME
the Northeast;Northeastern United States;northeast US	CT ME MA NH NJ NY PA RI VT	New York City, NY; Boston, MA; Philadelphia, PA
the Mid-Atlantic;Mid Atlantic;Middle Atlantic	DE DC MD NJ NY PA VA	Philadelphia, PA; Baltimore, MD; Richmond, VA
the Southeast;Southeastern United States;southeast US	AL FL GA NC SC TN	Atlanta, GA; Charlotte, NC; Jacksonville, FL
the South;the American South;Southern United States;Dixie	AL AR DE DC FL GA KY LA MD MS NC OK SC TN TX VA WV	Atlanta, GA; Dallas, TX; Miami, FL
the Deep South	AL GA LA MS SC	Atlanta, GA; Birmingham, AL; New Orleans, LA
the Midwest;Middle West;Midwestern United States	IL IN IA KS MI MN MO NE ND OH SD WI	Chicago, IL; Minneapolis, MN; Columbus, OH
the Upper Midwest	MI MN ND SD WI	Minneapolis, MN; Milwaukee, WI; Fargo, ND
the Great Plains;the Plains;the High Plains;Northern Plains;Southern Plains;Central Plains	KS NE ND OK SD TX	Oklahoma City, OK; Wichita, KS; Omaha, NE
the Southwest;Southwestern United States;Desert Southwest;the American Southwest	AZ NM NV UT	Phoenix, AZ; Albuquerque, NM; Las Vegas, NV
the West;Western United States;the American West	AK AZ CA CO HI ID MT NV NM OR UT WA WY	Los Angeles, CA; Denver, CO; Seattle, WA
the West Coast;Pacific Coast	CA OR WA	Los Angeles, CA; San Francisco, CA; Seattle, WA
the Pacific Northwest;PNW;the Northwest;Northwestern United States;Cascadia	ID OR WA	Seattle, WA; Portland, OR; Boise, ID
the Eastern United States	AL CT DC DE FL GA IL IN KY MA MD ME MI MS NC NH NJ NY OH PA RI SC TN VA VT WI WV	New York City, NY; Chicago, IL; Miami, FL
the East Coast;the Eastern Seaboard;Atlantic Coast	CT DE FL GA ME MD MA NH NJ NY NC RI SC VA	New York City, NY; Boston, MA; Miami, FL
the Gulf Coast;Gulf States	AL FL LA MS TX	Houston, TX; New Orleans, LA; Tampa, FL
the Great Lakes;Great Lakes region	IL IN MI MN NY OH PA WI	Chicago, IL; Detroit, MI; Cleveland, OH
the Rocky Mountains;the Rockies;Rocky Mountain region;Mountain West;Intermountain West;Mountain States	CO ID MT UT WY	Denver, CO; Salt Lake City, UT; Boise, ID
the Sierra Nevada;the Sierra;High Sierra	CA NV	Truckee, CA; South Lake Tahoe, CA; Mammoth Lakes, CA
the Cascades;Cascade Range;Cascade Mountains	OR WA	Seattle, WA; Portland, OR; Bend, OR
the Appalachians;Appalachia;Appalachian Mountains	KY NC PA TN VA WV	Asheville, NC; Charleston, WV; Knoxville, TN
the Ozarks;Ozark Mountains;Ozark Plateau	AR MO	Springfield, MO; Fayetteville, AR; Branson, MO
the Carolinas;Carolina	NC SC	Charlotte, NC; Raleigh, NC; Columbia, SC
the Dakotas;Dakota	ND SD	Sioux Falls, SD; Fargo, ND; Rapid City, SD
Tornado Alley	KS NE OK TX	Oklahoma City, OK; Wichita, KS; Dallas, TX
the Corn Belt	IL IN IA NE	Des Moines, IA; Omaha, NE; Peoria, IL
the Sun Belt;Sunbelt	AZ CA FL GA TX	Phoenix, AZ; Houston, TX; Atlanta, GA
the Rust Belt	MI NY OH PA	Pittsburgh, PA; Cleveland, OH; Detroit, MI
Four Corners;Four Corners region	AZ CO NM UT	Farmington, NM; Durango, CO; Cortez, CO
the Tri-State Area;Tri-State;New York metro;New York metropolitan area	CT NJ NY	New York City, NY; Newark, NJ; Stamford, CT
the DMV;Washington metro;National Capital Region	DC MD VA	Washington, DC; Alexandria, VA; Bethesda, MD
Delmarva;Delmarva Peninsula;Eastern Shore	DE MD VA	Salisbury, MD; Dover, DE; Ocean City, MD
the Piedmont Triad;Piedmont	NC	Greensboro, NC; Winston-Salem, NC; High Point, NC
Northern California;NorCal	CA	San Francisco, CA; Sacramento, CA; Redding, CA
Southern California;SoCal;Southland	CA	Los Angeles, CA; San Diego, CA; Riverside, CA
Central California	CA	Fresno, CA; Bakersfield, CA; Modesto, CA
the Bay Area;San Francisco Bay Area;SF Bay Area	CA	San Francisco, CA; Oakland, CA; San Jose, CA
the East Bay	CA	Oakland, CA; Berkeley, CA; Concord, CA
Silicon Valley;South Bay	CA	San Jose, CA; Sunnyvale, CA; Palo Alto, CA
the Central Valley;San Joaquin Valley;Sacramento Valley	CA	Fresno, CA; Sacramento, CA; Bakersfield, CA
the Inland Empire	CA	Riverside, CA; San Bernardino, CA; Ontario, CA
Wine Country	CA	Napa, CA; Santa Rosa, CA; Sonoma, CA
the Central Coast	CA	San Luis Obispo, CA; Monterey, CA; Santa Barbara, CA
Upstate New York;Upstate NY	NY	Albany, NY; Syracuse, NY; Buffalo, NY
Western New York	NY	Buffalo, NY; Rochester, NY; Niagara Falls, NY
Long Island;Long Island NY	NY	Hempstead, NY; Islip, NY; Riverhead, NY
the Hudson Valley	NY	Poughkeepsie, NY; Newburgh, NY; Kingston, NY
the Finger Lakes	NY	Ithaca, NY; Geneva, NY; Canandaigua, NY
Cape Cod;the Cape	MA	Hyannis, MA; Provincetown, MA; Falmouth, MA
the Jersey Shore	NJ	Atlantic City, NJ; Asbury Park, NJ; Ocean City, NJ
South Jersey	NJ	Camden, NJ; Vineland, NJ; Atlantic City, NJ
North Jersey	NJ	Newark, NJ; Paterson, NJ; Jersey City, NJ
the Lehigh Valley	PA	Allentown, PA; Bethlehem, PA; Easton, PA
the Catskills;Catskill Mountains	NY	Kingston, NY; Catskill, NY; Liberty, NY
the Berkshires;the Berkshire Hills	MA	Pittsfield, MA; North Adams, MA; Great Barrington, MA
the Poconos;Pocono Mountains	PA	Stroudsburg, PA; Mount Pocono, PA; Hawley, PA
Pennsylvania Dutch Country	PA	Lancaster, PA; Lebanon, PA; Reading, PA
Southwest Virginia	VA	Roanoke, VA; Blacksburg, VA; Bristol, VA
the Shenandoah Valley	VA WV	Harrisonburg, VA; Winchester, VA; Staunton, VA
the Outer Banks;OBX	NC	Kill Devil Hills, NC; Nags Head, NC; Hatteras, NC
the Research Triangle;the Triangle	NC	Raleigh, NC; Durham, NC; Chapel Hill, NC
Western North Carolina	NC	Asheville, NC; Hickory, NC; Boone, NC
the Lowcountry;Low Country	SC	Charleston, SC; Beaufort, SC; Hilton Head Island, SC
the Florida Keys;the Keys	FL	Key West, FL; Marathon, FL; Key Largo, FL
South Florida	FL	Miami, FL; Fort Lauderdale, FL; West Palm Beach, FL
Central Florida	FL	Orlando, FL; Lakeland, FL; Kissimmee, FL
North Florida	FL	Jacksonville, FL; Tallahassee, FL; Gainesville, FL
the Florida Panhandle	FL	Pensacola, FL; Panama City, FL; Tallahassee, FL
Tampa Bay;the Tampa Bay area	FL	Tampa, FL; St. Petersburg, FL; Clearwater, FL
the Space Coast	FL	Melbourne, FL; Titusville, FL; Cocoa, FL
the Treasure Coast	FL	Fort Pierce, FL; Stuart, FL; Vero Beach, FL
the Mississippi Delta	MS	Greenville, MS; Clarksdale, MS; Cleveland, MS
Acadiana;Cajun Country	LA	Lafayette, LA; New Iberia, LA; Houma, LA
the Permian Basin;West Texas	TX	Midland, TX; Odessa, TX; El Paso, TX
East Texas	TX	Tyler, TX; Longview, TX; Nacogdoches, TX
North Texas	TX	Dallas, TX; Fort Worth, TX; Denton, TX
Central Texas	TX	Austin, TX; Waco, TX; Temple, TX
South Texas	TX	San Antonio, TX; Corpus Christi, TX; Laredo, TX
the DFW Metroplex;the Metroplex	TX	Dallas, TX; Fort Worth, TX; Arlington, TX
the Nebraska Panhandle	NE	Scottsbluff, NE; Alliance, NE; Sidney, NE
the Texas Hill Country;Hill Country	TX	Kerrville, TX; Fredericksburg, TX; San Marcos, TX
the Texas Panhandle;the Panhandle	TX	Amarillo, TX; Canyon, TX; Pampa, TX
the Oklahoma Panhandle	OK	Guymon, OK; Boise City, OK; Beaver, OK
the Rio Grande Valley	TX	McAllen, TX; Brownsville, TX; Harlingen, TX
the Upper Peninsula;Upper Peninsula of Michigan;Upper Michigan	MI	Marquette, MI; Sault Ste. Marie, MI; Escanaba, MI
the Lower Peninsula	MI	Detroit, MI; Grand Rapids, MI; Lansing, MI
Northern Michigan	MI	Traverse City, MI; Petoskey, MI; Gaylord, MI
Southern Illinois	IL	Carbondale, IL; Marion, IL; Mount Vernon, IL
Chicagoland	IL IN	Chicago, IL; Naperville, IL; Gary, IN
Northern Minnesota;the Iron Range	MN	Duluth, MN; Bemidji, MN; Hibbing, MN
Northern Wisconsin	WI	Wausau, WI; Rhinelander, WI; Superior, WI
Door County Peninsula	WI	Sturgeon Bay, WI; Sister Bay, WI; Green Bay, WI
the Front Range	CO	Denver, CO; Colorado Springs, CO; Fort Collins, CO
the Western Slope	CO	Grand Junction, CO; Montrose, CO; Durango, CO
Eastern Colorado	CO	Sterling, CO; Limon, CO; Lamar, CO
the Wasatch Front	UT	Salt Lake City, UT; Provo, UT; Ogden, UT
Southern Utah	UT	St. George, UT; Cedar City, UT; Moab, UT
the Black Hills	SD WY	Rapid City, SD; Spearfish, SD; Deadwood, SD
Northern Arizona	AZ	Flagstaff, AZ; Sedona, AZ; Page, AZ
Southern Arizona	AZ	Tucson, AZ; Sierra Vista, AZ; Nogales, AZ
Eastern Washington;the Inland Northwest	WA	Spokane, WA; Yakima, WA; Walla Walla, WA
Western Washington;Puget Sound region	WA	Seattle, WA; Tacoma, WA; Olympia, WA
the Olympic Peninsula	WA	Port Angeles, WA; Forks, WA; Sequim, WA
the Willamette Valley	OR	Portland, OR; Salem, OR; Eugene, OR
Eastern Oregon	OR	Bend, OR; Pendleton, OR; Ontario, OR
the Oregon Coast	OR	Newport, OR; Astoria, OR; Coos Bay, OR
the Treasure Valley	ID OR	Boise, ID; Nampa, ID; Ontario, OR
Tahoe;the Tahoe area;the Lake Tahoe area	CA NV	South Lake Tahoe, CA; Truckee, CA; Incline Village, NV
the Idaho Panhandle	ID	Coeur d'Alene, ID; Sandpoint, ID; Moscow, ID
Southeast Alaska;the Alaska Panhandle;Inside Passage	AK	Juneau, AK; Sitka, AK; Ketchikan, AK
Interior Alaska	AK	Fairbanks, AK; Delta Junction, AK; Tok, AK
the North Slope	AK	Utqiaġvik, AK; Prudhoe Bay, AK; Point Hope, AK
the Kenai Peninsula	AK	Kenai, AK; Soldotna, AK; Homer, AK
the Aleutian Islands;the Aleutians	AK	Unalaska, AK; Adak, AK; Sand Point, AK
the Big Island;Island of Hawaii;Hawaii Island	HI	Hilo, HI; Kailua-Kona, HI; Waimea, HI
the Hawaiian Islands;Hawaiian Islands	HI	Honolulu, HI; Hilo, HI; Kahului, HI
`
