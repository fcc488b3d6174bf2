package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"
)

// Verify tells whether a webhook of Parley is genuine. The secret is "whsec_" and base64, the names of the
// headers are in lower case, and the body is the bytes as they came.
func Verify(secret string, headers map[string]string, body []byte, now time.Time) bool {
	id, timestamp := headers["webhook-id"], headers["webhook-timestamp"]
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil || math.Abs(float64(now.Unix()-seconds)) > 300 {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", id, timestamp)
	mac.Write(body)
	wanted := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, given := range strings.Split(headers["webhook-signature"], " ") {
		if hmac.Equal([]byte(given), []byte(wanted)) {
			return true
		}
	}
	return false
}

// Reads {"secret", "headers", "body", "now"} from standard input, for trying it out.
func main() {
	var given struct {
		Secret  string
		Headers map[string]string
		Body    string
		Now     int64
	}
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	fmt.Println(Verify(given.Secret, given.Headers, []byte(given.Body), time.Unix(given.Now, 0)))
}
