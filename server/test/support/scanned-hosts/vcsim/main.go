// A vCenter or ESXi host for tests: the simulator of the govmomi library (Debian: golang-github-vmware-govmomi-dev),
// with guests that have names and addresses, and with pages as a real server gives them.
package main

import (
	"crypto/tls"
	"flag"
	"fmt"
	"log"
	"net/url"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/vmware/govmomi/object"
	"github.com/vmware/govmomi/simulator"
	_ "github.com/vmware/govmomi/vapi/simulator" // the REST API, for tags
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

func main() {
	password := flag.String("password", "secret", "of the user scan@vsphere.local")
	alone := flag.Bool("esx", false, "one ESXi host instead of a vCenter")
	machines := flag.Int("machines", 4, "virtual machines in each of the four pools")
	flag.Parse()

	model := simulator.VPX()
	if *alone {
		model = simulator.ESX()
	}
	model.Machine = *machines
	model.Datastore = 2
	if err := model.Create(); err != nil {
		log.Fatal(err)
	}
	defer model.Remove()
	collector := *simulator.Map.Get(model.ServiceContent.PropertyCollector).(*simulator.PropertyCollector)
	simulator.Map.Put(&pagingCollector{PropertyCollector: collector})
	for i, each := range simulator.Map.All("VirtualMachine") {
		furnish(each.(*simulator.VirtualMachine), i)
	}
	model.Service.RegisterEndpoints = true
	model.Service.TLS = new(tls.Config)
	model.Service.Listen = &url.URL{Host: "127.0.0.1:0", User: url.UserPassword("scan@vsphere.local", *password)}
	server := model.Service.NewServer()
	fmt.Println(server.URL.Port())
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGINT, syscall.SIGTERM)
	<-ended
}

// What VMware Tools would tell.
func furnish(machine *simulator.VirtualMachine, number int) {
	address := fmt.Sprintf("10.%d.%d.%d", 20+number/62500, number/250%250, number%250+1)
	// the simulator counts up from an address that it took from nowhere; this range is vCenter's
	mac := fmt.Sprintf("00:50:56:%02x:%02x:%02x", 0x20+number/65536, number/256%256, number%256)
	// and its machines share their devices
	devices := append(object.VirtualDeviceList(nil), machine.Config.Hardware.Device...)
	for i, device := range devices {
		if card, ok := device.(*types.VirtualE1000); ok {
			own := *card
			own.MacAddress = mac
			devices[i] = &own
		}
	}
	machine.Config.Hardware.Device = devices
	machine.Config.Annotation = "owner: <team & \"friends\">"
	machine.Guest.HostName = fmt.Sprintf("vm-%d.example.test", number)
	machine.Guest.IpAddress = address
	machine.Guest.GuestFullName = "Debian GNU/Linux 12 (64-bit)"
	machine.Guest.ToolsRunningStatus = "guestToolsRunning"
	machine.Guest.Net = []types.GuestNicInfo{
		{Network: "VM Network", IpAddress: []string{address, "fe80::1"}, MacAddress: mac, Connected: true, DeviceConfigId: 4000},
		{IpAddress: []string{"172.17.0.1"}, MacAddress: "02:42:ac:11:00:01", Connected: true, DeviceConfigId: -1},
	}
}

// The library's collector gives everything at once, whatever maxObjects says.
type pagingCollector struct {
	simulator.PropertyCollector
	rest map[string][]types.ObjectContent
	size int
}

func (c *pagingCollector) RetrievePropertiesEx(ctx *simulator.Context, request *types.RetrievePropertiesEx) soap.HasFault {
	answer := c.PropertyCollector.RetrievePropertiesEx(ctx, request)
	body, ok := answer.(*methods.RetrievePropertiesExBody)
	c.size = int(request.Options.MaxObjects)
	if !ok || body.Res == nil || body.Res.Returnval == nil || c.size == 0 {
		return answer
	}
	body.Res.Returnval = c.page(body.Res.Returnval.Objects)
	return body
}

func (c *pagingCollector) ContinueRetrievePropertiesEx(ctx *simulator.Context, request *types.ContinueRetrievePropertiesEx) soap.HasFault {
	body := &methods.ContinueRetrievePropertiesExBody{}
	rest, ok := c.rest[request.Token]
	if !ok {
		body.Fault_ = simulator.Fault("unknown token", &types.InvalidArgument{InvalidProperty: "token"})
		return body
	}
	delete(c.rest, request.Token)
	body.Res = &types.ContinueRetrievePropertiesExResponse{Returnval: *c.page(rest)}
	return body
}

func (c *pagingCollector) page(objects []types.ObjectContent) *types.RetrieveResult {
	if len(objects) <= c.size {
		return &types.RetrieveResult{Objects: objects}
	}
	if c.rest == nil {
		c.rest = map[string][]types.ObjectContent{}
	}
	token := strconv.Itoa(len(objects))
	c.rest[token] = objects[c.size:]
	return &types.RetrieveResult{Objects: objects[:c.size], Token: token}
}
